import type { BuildOptions, Plugin } from 'esbuild'

export function carryPackages(
  common: BuildOptions,
  toAscii: (text: string) => string,
): { plugin: Plugin; inputs: ReadonlySet<string> }
