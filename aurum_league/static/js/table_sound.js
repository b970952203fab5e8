// Short sounds made on the spot, no files; silent until somebody turns them on, and the choice is remembered.
let context = null;

function tone(at, frequency, length, volume, kind = "sine") {
  const source = new OscillatorNode(context, { type: kind, frequency });
  const level = new GainNode(context, { gain: 0 });
  level.gain.setValueAtTime(0, at);
  level.gain.linearRampToValueAtTime(volume, at + 0.008);
  level.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(level).connect(context.destination);
  source.start(at);
  source.stop(at + length);
}

function tap(at, volume) {
  const samples = Math.round(context.sampleRate * 0.025);
  const buffer = context.createBuffer(1, samples, context.sampleRate);
  const noise = buffer.getChannelData(0);
  for (let place = 0; place < samples; place++) noise[place] = (Math.random() * 2 - 1) * (1 - place / samples);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(new BiquadFilterNode(context, { type: "lowpass", frequency: 1800 })).connect(new GainNode(context, { gain: volume })).connect(context.destination);
  source.start(at);
}

const SOUNDS = {
  card: (at, volume) => tap(at, volume),
  coin: (at, volume) => [1760, 2640].forEach((pitch) => tone(at, pitch, 0.22, volume * 0.5)),
  turn: (at, volume) => [523, 784].forEach((pitch, order) => tone(at + order * 0.13, pitch, 0.25, volume, "triangle")),
  nugget: (at, volume) => [523, 659, 1047].forEach((pitch, order) => tone(at + order * 0.12, pitch, 0.4, volume, "triangle")),
};

// Volume from 0 (off) to 1.
export const readVolume = () => Number(localStorage.getItem("play-volume") ?? 0);

export function playSound(name) {
  const volume = readVolume();
  if (!volume) return;
  context ??= new AudioContext();
  SOUNDS[name](context.currentTime, volume * 0.3);
}
