import type { BuildOptions } from 'esbuild'

export function bundle(options: BuildOptions, to?: { addonInside: boolean }): Promise<void>
