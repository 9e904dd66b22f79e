/** One kernel in a fresh process: `child.ts <folder of material> <name of the kernel>`; prints `Timed` as JSON. */
import { timed } from "./clock.ts";
import { KERNELS } from "./list.ts";
import { readMaterial } from "./material.ts";

const [folder = "", name = ""] = process.argv.slice(2);
const kernel = KERNELS.find((one) => one.name === name);
if (kernel === undefined) throw new Error(`There is no kernel "${name}", only ${KERNELS.map((one) => one.name)}`);
console.log(JSON.stringify(await timed(await kernel.prepare(await readMaterial(folder)))));
