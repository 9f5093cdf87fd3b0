import { randomInt } from 'node:crypto'

/** Letters and digits that nobody mistakes for each other. They give 32 ^ 8 references. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Returns the reference that people name an order by: `7K4Q-M2XD`. */
export function newReference(): string {
  const signs = Array.from({ length: 8 }, () => SIGNS[randomInt(SIGNS.length)])
  return `${signs.slice(0, 4).join('')}-${signs.slice(4).join('')}`
}
