// Every step from the parts of a seed to the cards, computed again from what was published.
// A check is { code, holds, about }: `about` is a number or a value that the sentence of the code is about.
import {
  commitment, dealRound, deriveBotChance, deriveSeed, drawFirstSeat, drawLot, drawLots, mixSeed, orderByLots,
} from "./deal.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isSeed = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
const pairs = (contributions) => contributions.map((row) => (Array.isArray(row) ? row : [row.entrant, row.contribution]));

// own: what this browser contributed, or undefined where it did not.
export async function checkParts(parts, seed, own) {
  const checks = [];
  const given = pairs(parts.contributions);
  if (own) checks.push({ code: "own", holds: given.some(([, text]) => text === own) });
  if (parts.beacon) {
    const random = await commitment(parts.beacon.signature);
    checks.push({ code: "beacon", holds: random === parts.beacon.randomness, about: parts.beacon.round });
  }
  if (isSeed(parts.secret)) {
    checks.push({ code: "secret", holds: (await commitment(parts.secret)) === parts.commitment });
    checks.push({ code: "mixed", holds: (await mixSeed(parts.secret, given, parts.beacon)) === seed });
  } else {
    checks.push({ code: "kept" });
  }
  return checks;
}

export async function checkRecord(record, committed, own) {
  const { players } = record.ruleset;
  if (record.dealing !== "aurum/deal/v1" || !isSeed(record.seed)) return [{ code: "no_seed", holds: false }];
  const checks = record.parts ? await checkParts(record.parts, record.seed, own) : [];
  checks.push({ code: "commitment", holds: (await commitment(record.seed)) === committed });
  checks.push({ code: "first", holds: (await drawFirstSeat(record.seed, players)) === record.rounds[0].first_seat });
  for (const [index, round] of record.rounds.entries()) {
    const dealt = await dealRound(record.seed, players, index + 1);
    const holds = same(dealt.hands, round.hands) && same(dealt.set_aside, round.set_aside);
    checks.push({ code: "round", holds, about: index + 1 });
  }
  if (record.result.lots) checks.push({ code: "lots", holds: await haveLotsDecided(record) });
  return checks;
}

// Those who were level in everything that counts (docs/RULES.md, the end of a match) are in the order of their lots.
async function haveLotsDecided(record) {
  const last = record.rounds[record.rounds.length - 1];
  const claims = record.result.nuggets.map((nuggets, side) => {
    const exact = record.rounds.filter(({ scores }) => scores[side].bid === scores[side].tricks).length;
    const [bid, total] = [last.scores[side].bid, record.result.totals[side]];
    return record.ruleset.scoring === "cumulative" ? [total, bid, exact] : [nuggets, bid, total, exact];
  });
  const first = claims[record.result.places[0][0]];
  const level = claims.flatMap((claim, side) => (same(claim, first) ? [side] : []));
  const drawn = await drawLots(record.seed, level);
  return level.length > 1 && same(record.result.places.slice(0, level.length), drawn.map((side) => [side]));
}

// What lots decided in a tournament: seeds in the event of a draw, tables of a bracket, places in standings.
async function checkTournamentLots(row, seed) {
  if (row.kind === "drawn" && row.detail?.lots) {
    const drawn = await Promise.all(row.detail.lots.map((group) => orderByLots(seed, "seeding", group)));
    return [{ code: "lots_seeding", holds: same(drawn, row.detail.lots), about: row.number }];
  }
  if (row.lots?.for) {
    const drawn = await Promise.all(row.lots.drawn.map((group) => orderByLots(seed, row.lots.for, group)));
    const isHere = row.lots.for === `table ${row.stage} ${row.matchday} ${row.table}`;
    return [{ code: "lots_table", holds: isHere && same(drawn, row.lots.drawn), about: row.lots.for.slice(6) }];
  }
  if (row.decided_by?.metric === "lots") {
    const lot = await drawLot(seed, `standings ${row.stage}`, row.entrant);
    return [{ code: "lots_place", holds: lot === row.values.lots, about: `${row.stage}, ${row.entrant}` }];
  }
  return [];
}

export async function listBotChances(record) {
  const bots = (record.seats ?? []).filter(({ agent }) => !`${agent}`.startsWith("person"));
  return Promise.all(bots.map(async ({ seat, player }) =>
    ({ code: "bot", about: `${player}: ${await deriveBotChance(record.seed, record.match, seat)}` })));
}

// Records and rows of matches beside the manifest they belong to, in whatever order they were pasted.
export async function checkAll(items, findOwn) {
  const checks = [];
  const manifest = items.find(({ format }) => format === "aurum-archive");
  const rows = new Map(items.filter(({ label }) => label).map((row) => [row.match, row]));
  for (const item of items) {
    if (item === manifest && item.parts) checks.push(...(await checkParts(item.parts, item.seed, findOwn(item.commitment))));
    else if (item === manifest && item.seed) {
      checks.push({ code: "commitment", holds: (await commitment(item.seed)) === item.commitment });
    } else if (item.mixing) checks.push(...(await checkParts(item, item.seed, findOwn(item.commitment))));
    else if (item.format === "aurum-record") {
      checks.push(...(await checkRecord(item, item.commitment, findOwn(item.parts?.commitment))));
      const row = rows.get(item.match);
      if (row && manifest?.seed && !row.versions?.some(({ record_match: other }) => other)) {
        const holds = (await deriveSeed(manifest.seed, row.label)) === item.seed;
        checks.push({ code: "match_seed", holds, about: item.match });
      }
      checks.push(...(await listBotChances(item)));
    } else if (rows.get(item.match) === item && manifest?.seed) {
      const holds = (await commitment(await deriveSeed(manifest.seed, item.label))) === item.commitment;
      checks.push({ code: "match_commitment", holds, about: item.match });
    } else if (manifest?.seed) checks.push(...(await checkTournamentLots(item, manifest.seed)));
  }
  return checks;
}

export function readItems(text) {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  }
}
