// Kernels of kernels.py. Logits are bfloat16 [B, T, 4 sources x 2 sides, N]; |X|^2 is float [B, T, 2, N], Re(S X*) float [B, T, 8, N].
#include <torch/extension.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

// Stems picked from spectra and mixed. `spectra` is complex [signals, T, F], left and right of stem k at 2k and 2k + 1; `pick` int [E, 4] says which
// stem is which source of an example, `turned` int [E, 4] whether its sides are exchanged, `curves` float [E, 4, N] its gain at each bin.
// -> features bfloat16 [E, T, N, 4] as model.py's, |X|^2 [E, T, 2, N], Re(S X*) [E, T, 8, N], energies of the stems [E, 4] and of the mix [E].
std::vector<torch::Tensor> mixed(torch::Tensor spectra, torch::Tensor pick, torch::Tensor turned, torch::Tensor curves) {
  const int examples = pick.size(0), frames = spectra.size(1), width = spectra.size(2), bins = curves.size(2);
  auto real = torch::TensorOptions().dtype(torch::kFloat32);
  auto told = torch::empty({examples, frames, bins, 4}, real.dtype(torch::kBFloat16));
  auto power = torch::empty({examples, frames, 2, bins}, real), cross = torch::empty({examples, frames, 8, bins}, real);
  auto stems = torch::zeros({examples, 4}, real), total = torch::zeros({examples}, real);
  std::vector<float> likeness((size_t)frames * bins);
  const float* x = (const float*)spectra.data_ptr();
  const int *chosen = pick.data_ptr<int>(), *swapped = turned.data_ptr<int>();
  for (int e = 0; e < examples; e++) {
    double energies[4] = {0, 0, 0, 0}, sum = 0;
    for (int t = 0; t < frames; t++) {
      const float *l[4], *r[4], *g[4];
      float *cl[4], *cr[4];
      float* c = cross.data_ptr<float>() + ((size_t)e * frames + t) * 8 * bins;
      for (int s = 0; s < 4; s++) {
        const size_t k = 2 * (size_t)chosen[e * 4 + s];
        const int side = swapped[e * 4 + s];
        l[s] = x + ((k + side) * frames + t) * width * 2;
        r[s] = x + ((k + 1 - side) * frames + t) * width * 2;
        g[s] = curves.data_ptr<float>() + ((size_t)e * 4 + s) * bins;
        cl[s] = c + (2 * s) * bins;
        cr[s] = c + (2 * s + 1) * bins;
      }
      float* p = power.data_ptr<float>() + ((size_t)e * frames + t) * 2 * bins;
      float *pl = p, *pr = p + bins, *like = likeness.data() + (size_t)t * bins;
      float e0 = 0, e1 = 0, e2 = 0, e3 = 0, all = 0;
#pragma GCC ivdep
      for (int n = 0; n < bins; n++) {
        const float a0 = g[0][n], a1 = g[1][n], a2 = g[2][n], a3 = g[3][n];
        const float l0 = a0 * l[0][2 * n], m0 = a0 * l[0][2 * n + 1], r0 = a0 * r[0][2 * n], q0 = a0 * r[0][2 * n + 1];
        const float l1 = a1 * l[1][2 * n], m1 = a1 * l[1][2 * n + 1], r1 = a1 * r[1][2 * n], q1 = a1 * r[1][2 * n + 1];
        const float l2 = a2 * l[2][2 * n], m2 = a2 * l[2][2 * n + 1], r2 = a2 * r[2][2 * n], q2 = a2 * r[2][2 * n + 1];
        const float l3 = a3 * l[3][2 * n], m3 = a3 * l[3][2 * n + 1], r3 = a3 * r[3][2 * n], q3 = a3 * r[3][2 * n + 1];
        const float lr = l0 + l1 + l2 + l3, li = m0 + m1 + m2 + m3, rr = r0 + r1 + r2 + r3, ri = q0 + q1 + q2 + q3;
        pl[n] = lr * lr + li * li;
        pr[n] = rr * rr + ri * ri;
        like[n] = lr * rr + li * ri;
        cl[0][n] = l0 * lr + m0 * li;
        cr[0][n] = r0 * rr + q0 * ri;
        cl[1][n] = l1 * lr + m1 * li;
        cr[1][n] = r1 * rr + q1 * ri;
        cl[2][n] = l2 * lr + m2 * li;
        cr[2][n] = r2 * rr + q2 * ri;
        cl[3][n] = l3 * lr + m3 * li;
        cr[3][n] = r3 * rr + q3 * ri;
        e0 += l0 * l0 + m0 * m0 + r0 * r0 + q0 * q0;
        e1 += l1 * l1 + m1 * m1 + r1 * r1 + q1 * q1;
        e2 += l2 * l2 + m2 * m2 + r2 * r2 + q2 * q2;
        e3 += l3 * l3 + m3 * m3 + r3 * r3 + q3 * q3;
        all += pl[n] + pr[n];
      }
      energies[0] += e0;
      energies[1] += e1;
      energies[2] += e2;
      energies[3] += e3;
      sum += all;
    }
    for (int s = 0; s < 4; s++) stems.data_ptr<float>()[e * 4 + s] = energies[s];
    total.data_ptr<float>()[e] = sum;
    const float mean = sum / ((double)frames * bins) + 1e-9, per = 1 / mean, least = 1e-4f * mean;
    std::vector<float> row(4 * (size_t)bins);
    float *f0 = row.data(), *f1 = f0 + bins, *f2 = f1 + bins, *f3 = f2 + bins;
    for (int t = 0; t < frames; t++) {
      const float *pl = power.data_ptr<float>() + ((size_t)e * frames + t) * 2 * bins, *pr = pl + bins, *like = likeness.data() + (size_t)t * bins;
#pragma GCC ivdep
      for (int n = 0; n < bins; n++) {
        const float both = pl[n] + pr[n], some = 1 / (both + least);
        f0[n] = 0.25f * logf(std::max(0.25f * both + 0.5f * like[n], 0.f) * per + 1e-6f) + 1;
        f1[n] = 0.25f * logf(std::max(0.25f * both - 0.5f * like[n], 0.f) * per + 1e-6f) + 1.5f;
        f2[n] = (pl[n] - pr[n]) * some;
        f3[n] = 2 * like[n] * some;
      }
      uint16_t* out = (uint16_t*)told.data_ptr() + ((size_t)e * frames + t) * bins * 4;
      for (int n = 0; n < bins; n++) {
        out[4 * n] = rounded(f0[n]);
        out[4 * n + 1] = rounded(f1[n]);
        out[4 * n + 2] = rounded(f2[n]);
        out[4 * n + 3] = rounded(f3[n]);
      }
    }
  }
  return {told, power, cross, stems, total};
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("mixed", &mixed);
  m.def("fwd", &fwd);
  m.def("bwd", &bwd);
  m.def("rectify", &rectify);
  m.def("rectify_back", &rectify_back);
}
