/**
 * Variables that a pool's thread or child process may see: what runtimes, system libraries and accelerators read. No
 * secret of the service is among them.
 */
const NAMES: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LANG", "LANGUAGE", "TZ", "NO_COLOR", "TERM", "FFMPEG_PATH"],
  ...["LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "XDG_CACHE_HOME", "UV_THREADPOOL_SIZE", "MALLOC_ARENA_MAX"],
  ...["DENO_DIR", "DENO_NO_UPDATE_CHECK", "BUN_INSTALL", "BUN_RUNTIME_TRANSPILER_CACHE_PATH"],
  ...["SystemRoot", "windir", "ComSpec", "PATHEXT", "USERPROFILE", "LOCALAPPDATA", "APPDATA"],
]);
const FAMILIES =
  /^(?:LC|CUDA|CUDNN|NVIDIA|NV|TENSORRT|ORT|ONNXRUNTIME|OMP|GOMP|KMP|MKL|OPENBLAS|ROCM|ROCR|HIP|HSA|OPENVINO)_[A-Z0-9_]+$/;

/**
 * The part of `environment` that a thread or child process of the pool gets. Native code that reads foreign models and
 * plugins' runners work there; what a runner needs beyond this comes as its input.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && (NAMES.has(name) || FAMILIES.test(name))) kept[name] = value;
  return kept;
}
