/** `bun bench/abuse/attacker.ts <orders>`: prepares, says "ready", waits for a line, attacks, prints what became of it as one line of JSON. */
import { once } from "node:events";
import { Attacker, type Orders } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";

const orders = JSON.parse(process.argv[2] ?? "") as Orders;
const attack = ATTACKS.find(({ name }) => name === orders.attack);
if (attack === undefined) throw new Error(`There is no attack "${orders.attack}"`);
const attacker = new Attacker(orders);
const run = await attack.prepare(attacker);
for (const name of Object.keys(attacker.answers)) delete attacker.answers[name];
process.stdout.write("ready\n");
await once(process.stdin, "data");
attacker.begin();
await run();
const { answers, faults, notes } = attacker;
process.stdout.write(`${JSON.stringify({ answers, faults: [...new Set(faults)], notes })}\n`, () => process.exit(0));
