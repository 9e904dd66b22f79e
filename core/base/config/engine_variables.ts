/** Plugins and models. */
import { optional, readAs, readList, readOneOf, readText, readWhole, variable } from "./variable.ts";

const readPlugin = readAs(
  "folders such as ./plugins and packages such as @acme/pitch, optional ones with a leading ?",
  (given) => (given === "?" ? undefined : given),
);

export const ENGINE_VARIABLES = {
  plugins: variable(
    "TONWERK_PLUGINS",
    "list of folders and packages",
    "./plugins",
    readList(readPlugin),
    "Where actions and surfaces (dashboard, operator) come from; one with a leading ? may fail to load without stopping the start",
  ),
  models: optional(
    "TONWERK_MODELS",
    "folder",
    readText,
    "Holds models and their manifests; absent: only what Tonwerk brings along",
  ),
  shipped_models: variable(
    "TONWERK_SHIPPED_MODELS",
    "on or off",
    "on",
    readOneOf("on", "off"),
    "Whether models that Tonwerk brings along serve before the engines that need none (its separator of stems)",
  ),
  providers: variable(
    "TONWERK_PROVIDERS",
    "list of tensorrt, cuda, directml, coreml and cpu",
    "cuda,directml,coreml,cpu",
    readList<string>(readOneOf("tensorrt", "cuda", "directml", "coreml", "cpu")),
    "Where models run, the first that works; TensorRT only where it is listed, for it builds each model anew for minutes",
  ),
  // MusicGen small, the largest of the families, holds 3 GB in single precision.
  model_mb: variable(
    "TONWERK_MODEL_MB",
    "MB",
    "6000",
    readWhole(100, 1_000_000),
    "Memory that the process of one model may hold before it is ended and replaced",
  ),
  model_seconds: variable(
    "TONWERK_MODEL_SECONDS",
    "s",
    "60",
    readWhole(1, 3_600),
    "Time limit of one run of a model, which is one block of some seconds, where its manifest sets none",
  ),
};
