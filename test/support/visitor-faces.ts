import { doorFace } from '#faces/scanner/face.ts'
import { storefrontFace } from '#faces/storefront/face.ts'
import { orderFaces } from '#faces/storefront/order-faces.ts'
import { unsubscribeFace } from '#faces/unsubscribe/face.tsx'

/** Stands for all that a face is given, so that its routes can be listed. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for anything
const anything: any = new Proxy(function anything() {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: () => anything,
})

/** By the name of what makes them: faces that take what people or programs write. The API and the dashboard have tests of their own. */
export const visitorFaces = {
  storefrontFace: [storefrontFace(anything)],
  orderFaces: orderFaces(anything),
  doorFace: [doorFace(anything)],
  unsubscribeFace: [unsubscribeFace(anything)],
}

/** The paths of these faces that something is posted to. */
export function postsOf(...names: (keyof typeof visitorFaces)[]): string[] {
  return names
    .flatMap(name => visitorFaces[name])
    .flatMap(({ path, routes }) =>
      routes.filter(({ method }) => method === 'POST').map(route => path + route.path),
    )
}
