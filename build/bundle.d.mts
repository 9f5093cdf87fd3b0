import type { BuildOptions } from 'esbuild'

export function allTargets(): string[]
export function thisTarget(): string
export function bundle(
  options: BuildOptions,
  targets?: readonly string[],
  form?: 'compiled later' | 'plain' | 'in an executable',
): Promise<{ inputs: string[] }>
