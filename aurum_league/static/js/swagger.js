// Shows the schema; requests from the page carry the CSRF token of the person who is signed in.
const place = document.getElementById("swagger");
const cookie = /(?:^|; )(?:__Host-csrf|csrftoken)=([^;]+)/.exec(document.cookie);
SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  requestInterceptor: (request) => {
    if (cookie) request.headers["X-CSRFToken"] = cookie[1];
    return request;
  },
});
