// `import sql from "./x.sql" with { type: "text" }` runs on Bun and Deno; only the type checker needs to be told.
declare module "*.sql" {
  const text: string;
  export default text;
}
