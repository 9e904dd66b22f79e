// A receiver as the npm library's documentation shows it: 204 for what verifies, 400 with the reason for the rest. SECRET: `whsec_…`.
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SECRET);
const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (piece) => {
    body += piece;
  });
  request.on("end", () => {
    try {
      webhook.verify(body, request.headers);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end(error.message);
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log("port", server.address().port));
