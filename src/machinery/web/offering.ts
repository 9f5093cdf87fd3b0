import { createContext } from 'preact'

/** Returns whether this server takes what the form at an address would send it. */
export type Offers = (address: string) => boolean

/** Leaves out, on a server that takes only some things, the buttons and forms of all others. */
export const Offering = createContext<Offers>(() => true)
