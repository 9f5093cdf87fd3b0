import type { BuildOptions, Plugin } from 'esbuild'
import type { CarriedData } from './carried-data.mjs'

export function carryPackages(
  common: BuildOptions,
  toAscii: (text: string) => string,
): (data: CarriedData) => { plugin: Plugin; inputs: ReadonlySet<string> }
