#include <torch/extension.h>
#include <cmath>
#include <vector>
// logits bf16 [B,T,8,N], A float [B,T,2,N], R float [B,T,8,N]  (8 = source*2+side)
// pass 1: returns e[B,4] = sum m^2 A - 2 m R ; pass 2: gradient for weights g[B,4]
typedef c10::BFloat16 bf;
static inline float up(uint16_t v){uint32_t u=(uint32_t)v<<16; float f; __builtin_memcpy(&f,&u,4); return f;}
static inline uint16_t dn(float f){uint32_t u; __builtin_memcpy(&u,&f,4); u+=0x7fff+((u>>16)&1); return u>>16;}
torch::Tensor fwd(torch::Tensor L, torch::Tensor A, torch::Tensor R){
  int B=L.size(0),T=L.size(1),N=L.size(3);
  auto part=torch::zeros({B,T,4}); float*P=part.data_ptr<float>();
  const uint16_t*l=(const uint16_t*)L.data_ptr(); const float*a=A.data_ptr<float>(),*r=R.data_ptr<float>();
  #pragma omp parallel for schedule(static)
  for(int i=0;i<B*T;i++) for(int c=0;c<2;c++){
    const uint16_t*x[4]; const float*q[4]; for(int s=0;s<4;s++){x[s]=l+((size_t)i*8+s*2+c)*N; q[s]=r+((size_t)i*8+s*2+c)*N;}
    const float*aa=a+((size_t)i*2+c)*N; float e0=0,e1=0,e2=0,e3=0;
    for(int n=0;n<N;n++){
      float v0=up(x[0][n]),v1=up(x[1][n]),v2=up(x[2][n]),v3=up(x[3][n]);
      float m=std::max(std::max(v0,v1),std::max(v2,v3));
      v0=expf(v0-m);v1=expf(v1-m);v2=expf(v2-m);v3=expf(v3-m); float k=1/(v0+v1+v2+v3); v0*=k;v1*=k;v2*=k;v3*=k;
      float w=aa[n]; e0+=v0*(v0*w-2*q[0][n]); e1+=v1*(v1*w-2*q[1][n]); e2+=v2*(v2*w-2*q[2][n]); e3+=v3*(v3*w-2*q[3][n]);
    }
    float*p=P+(size_t)i*4; p[0]+=e0;p[1]+=e1;p[2]+=e2;p[3]+=e3;
  }
  return part.sum(1);
}
torch::Tensor bwd(torch::Tensor L, torch::Tensor A, torch::Tensor R, torch::Tensor G){
  int B=L.size(0),T=L.size(1),N=L.size(3); auto O=torch::empty_like(L);
  const uint16_t*l=(const uint16_t*)L.data_ptr(); uint16_t*o=(uint16_t*)O.data_ptr(); const float*a=A.data_ptr<float>(),*r=R.data_ptr<float>(),*g=G.data_ptr<float>();
  #pragma omp parallel for schedule(static)
  for(int i=0;i<B*T;i++) for(int c=0;c<2;c++){
    const uint16_t*x[4]; const float*q[4]; uint16_t*y[4]; for(int s=0;s<4;s++){size_t k=((size_t)i*8+s*2+c)*N; x[s]=l+k; q[s]=r+k; y[s]=o+k;}
    const float*aa=a+((size_t)i*2+c)*N; const float*gg=g+(size_t)(i/T)*4; float g0=2*gg[0],g1=2*gg[1],g2=2*gg[2],g3=2*gg[3];
    uint16_t*y0=y[0],*y1=y[1],*y2=y[2],*y3=y[3];
    #pragma GCC ivdep
    for(int n=0;n<N;n++){
      float v0=up(x[0][n]),v1=up(x[1][n]),v2=up(x[2][n]),v3=up(x[3][n]);
      float m=std::max(std::max(v0,v1),std::max(v2,v3));
      v0=expf(v0-m);v1=expf(v1-m);v2=expf(v2-m);v3=expf(v3-m); float k=1/(v0+v1+v2+v3); v0*=k;v1*=k;v2*=k;v3*=k;
      float w=aa[n];
      float d0=g0*(v0*w-q[0][n]),d1=g1*(v1*w-q[1][n]),d2=g2*(v2*w-q[2][n]),d3=g3*(v3*w-q[3][n]);
      float t=d0*v0+d1*v1+d2*v2+d3*v3;
      y0[n]=dn(v0*(d0-t));y1[n]=dn(v1*(d1-t));y2[n]=dn(v2*(d2-t));y3[n]=dn(v3*(d3-t));
    }
  }
  return O;
}
// Rectifies bfloat16 values in place of memory, whatever their order: gradient where the output is above 0.
torch::Tensor rectify(torch::Tensor X){
  auto Y=torch::empty_like(X); const int16_t*x=(const int16_t*)X.data_ptr(); int16_t*y=(int16_t*)Y.data_ptr(); size_t n=X.numel();
  for(size_t i=0;i<n;i++) y[i]=x[i]>0?x[i]:0;
  return Y;
}
torch::Tensor rectify_back(torch::Tensor Y, torch::Tensor G){
  auto O=torch::empty_like(G); const int16_t*y=(const int16_t*)Y.data_ptr(),*g=(const int16_t*)G.data_ptr(); int16_t*o=(int16_t*)O.data_ptr(); size_t n=Y.numel();
  for(size_t i=0;i<n;i++) o[i]=y[i]>0?g[i]:0;
  return O;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME,m){m.def("fwd",&fwd);m.def("bwd",&bwd);m.def("rectify",&rectify);m.def("rectify_back",&rectify_back);}
