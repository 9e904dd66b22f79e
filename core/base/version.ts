/** The version of this installation and of its API, as the specification gives it. */
export const API_VERSION = "0.1.0";
