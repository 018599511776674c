#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records five steps of a small JAX program on one GPU: jax_trace.py OUT. Each step is one product of 4096 x 4096 matrices, 2 * 4096^3 floating-point operations."""
import sys
import jax, jax.numpy as jnp

product = jax.jit(lambda x, w: jax.nn.gelu(x @ w))
x = w = jnp.ones((4096, 4096), jnp.bfloat16)
product(x, w).block_until_ready()
with jax.profiler.trace(sys.argv[1]):
    for n in range(5):
        with jax.profiler.StepTraceAnnotation("train", step_num=n):
            x = product(x, w)
            x.block_until_ready()
