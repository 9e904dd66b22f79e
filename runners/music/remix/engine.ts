/** What remixes name as their engine. Its number is raised whenever the same request and seed would give other samples. */
export const ENGINE = "remix/20";
