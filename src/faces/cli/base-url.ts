import type { Option } from 'commander'
import { baseUrl } from '#base/config.ts'
import { flag, readFlag } from './flags.ts'

/** Commands that print links have this flag. */
export function baseUrlFlag(): Option {
  return flag('--base-url <url>', 'the address that people use; default http://127.0.0.1:8080')
}

/** @throws Problem invalid_parameter */
export function readBaseUrl({ baseUrl: given = 'http://127.0.0.1:8080' }: { baseUrl?: string }): string {
  return readFlag('--base-url', baseUrl, given)
}
