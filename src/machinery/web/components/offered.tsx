import { type ComponentChildren, createContext } from 'preact'

/** Returns whether this server takes what the form at an address would send it. */
export type Offers = (address: string) => boolean

/** Leaves out, on a server that takes only some things, the buttons and forms of all others. */
export const Offering = createContext<Offers>(() => true)

/** Shows what leads to an address, or sends something to it, only where this server takes that. */
export function Offered({
  address,
  otherwise = null,
  children,
}: {
  address: string
  otherwise?: ComponentChildren
  children: ComponentChildren
}) {
  return <Offering.Consumer>{offers => <>{offers(address) ? children : otherwise}</>}</Offering.Consumer>
}
