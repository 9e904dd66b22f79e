// Kernels of mask_loss.py. Logits are bfloat16 [B, T, 4 sources x 2 sides, N]; |X|^2 is float [B, T, 2, N], Re(S X*) float [B, T, 8, N].
#include <torch/extension.h>

#include <algorithm>
#include <cmath>

static inline float widened(uint16_t v) {
  uint32_t bits = (uint32_t)v << 16;
  float f;
  __builtin_memcpy(&f, &bits, 4);
  return f;
}

static inline uint16_t rounded(float f) {
  uint32_t bits;
  __builtin_memcpy(&bits, &f, 4);
  bits += 0x7fff + ((bits >> 16) & 1);
  return bits >> 16;
}

// Four logits become masks, by softmax.
static inline void masks(float& a, float& b, float& c, float& d) {
  float most = std::max(std::max(a, b), std::max(c, d));
  a = expf(a - most);
  b = expf(b - most);
  c = expf(c - most);
  d = expf(d - most);
  float scale = 1 / (a + b + c + d);
  a *= scale;
  b *= scale;
  c *= scale;
  d *= scale;
}

// -> [B, 4]: sums of m^2 |X|^2 - 2 m Re(S X*) for each source.
torch::Tensor fwd(torch::Tensor logits, torch::Tensor power, torch::Tensor cross) {
  int batch = logits.size(0), frames = logits.size(1), bins = logits.size(3);
  auto parts = torch::zeros({batch, frames, 4});
  float* out = parts.data_ptr<float>();
  const uint16_t* l = (const uint16_t*)logits.data_ptr();
  const float *p = power.data_ptr<float>(), *c = cross.data_ptr<float>();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < batch * frames; i++) {
    for (int side = 0; side < 2; side++) {
      const uint16_t* x[4];
      const float* q[4];
      for (int s = 0; s < 4; s++) {
        size_t at = ((size_t)i * 8 + s * 2 + side) * bins;
        x[s] = l + at;
        q[s] = c + at;
      }
      const float* w = p + ((size_t)i * 2 + side) * bins;
      float e0 = 0, e1 = 0, e2 = 0, e3 = 0;
      for (int n = 0; n < bins; n++) {
        float v0 = widened(x[0][n]), v1 = widened(x[1][n]), v2 = widened(x[2][n]), v3 = widened(x[3][n]);
        masks(v0, v1, v2, v3);
        e0 += v0 * (v0 * w[n] - 2 * q[0][n]);
        e1 += v1 * (v1 * w[n] - 2 * q[1][n]);
        e2 += v2 * (v2 * w[n] - 2 * q[2][n]);
        e3 += v3 * (v3 * w[n] - 2 * q[3][n]);
      }
      float* o = out + (size_t)i * 4;
      o[0] += e0;
      o[1] += e1;
      o[2] += e2;
      o[3] += e3;
    }
  }
  return parts.sum(1);
}

// Gradient of the above by the logits, for a gradient [B, 4] by its result.
torch::Tensor bwd(torch::Tensor logits, torch::Tensor power, torch::Tensor cross, torch::Tensor gradient) {
  int batch = logits.size(0), frames = logits.size(1), bins = logits.size(3);
  auto result = torch::empty_like(logits);
  const uint16_t* l = (const uint16_t*)logits.data_ptr();
  uint16_t* r = (uint16_t*)result.data_ptr();
  const float *p = power.data_ptr<float>(), *c = cross.data_ptr<float>(), *g = gradient.data_ptr<float>();
#pragma omp parallel for schedule(static)
  for (int i = 0; i < batch * frames; i++) {
    for (int side = 0; side < 2; side++) {
      const uint16_t* x[4];
      const float* q[4];
      uint16_t* y[4];
      for (int s = 0; s < 4; s++) {
        size_t at = ((size_t)i * 8 + s * 2 + side) * bins;
        x[s] = l + at;
        q[s] = c + at;
        y[s] = r + at;
      }
      const float* w = p + ((size_t)i * 2 + side) * bins;
      const float* by = g + (size_t)(i / frames) * 4;
      float g0 = 2 * by[0], g1 = 2 * by[1], g2 = 2 * by[2], g3 = 2 * by[3];
      uint16_t *y0 = y[0], *y1 = y[1], *y2 = y[2], *y3 = y[3];
#pragma GCC ivdep
      for (int n = 0; n < bins; n++) {
        float v0 = widened(x[0][n]), v1 = widened(x[1][n]), v2 = widened(x[2][n]), v3 = widened(x[3][n]);
        masks(v0, v1, v2, v3);
        float d0 = g0 * (v0 * w[n] - q[0][n]), d1 = g1 * (v1 * w[n] - q[1][n]);
        float d2 = g2 * (v2 * w[n] - q[2][n]), d3 = g3 * (v3 * w[n] - q[3][n]);
        float mean = d0 * v0 + d1 * v1 + d2 * v2 + d3 * v3;
        y0[n] = rounded(v0 * (d0 - mean));
        y1[n] = rounded(v1 * (d1 - mean));
        y2[n] = rounded(v2 * (d2 - mean));
        y3[n] = rounded(v3 * (d3 - mean));
      }
    }
  }
  return result;
}

// Rectifies contiguous bfloat16, whose sign is that of the same bits as an integer.
torch::Tensor rectify(torch::Tensor input) {
  auto result = torch::empty_like(input);
  const int16_t* x = (const int16_t*)input.data_ptr();
  int16_t* y = (int16_t*)result.data_ptr();
  size_t count = input.numel();
  for (size_t i = 0; i < count; i++) y[i] = x[i] > 0 ? x[i] : 0;
  return result;
}

// The gradient where the rectified value is above 0.
torch::Tensor rectify_back(torch::Tensor output, torch::Tensor gradient) {
  auto result = torch::empty_like(gradient);
  const int16_t *y = (const int16_t*)output.data_ptr(), *g = (const int16_t*)gradient.data_ptr();
  int16_t* r = (int16_t*)result.data_ptr();
  size_t count = output.numel();
  for (size_t i = 0; i < count; i++) r[i] = y[i] > 0 ? g[i] : 0;
  return result;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("fwd", &fwd);
  m.def("bwd", &bwd);
  m.def("rectify", &rectify);
  m.def("rectify_back", &rectify_back);
}
