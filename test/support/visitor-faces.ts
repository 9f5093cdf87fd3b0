import { doorFace } from '#faces/scanner/face.ts'
import { storefrontFace } from '#faces/storefront/face.ts'
import { orderFaces } from '#faces/storefront/order-faces.ts'
import { reviewFace } from '#faces/storefront/reviewing/review-faces.ts'
import { submissionFaces } from '#faces/storefront/submitting/submission-faces.ts'
import { unsubscribeFace } from '#faces/unsubscribe/face.tsx'

/** Stands for all that a face is given, so that its routes can be listed. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for anything
const anything: any = new Proxy(function anything() {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
  construct: () => anything,
})

/** The faces that take what people or programs write, by what makes them. The API and the dashboard have tests of their own. */
export const visitorFaces = {
  storefrontFace: [storefrontFace(anything)],
  orderFaces: orderFaces(anything),
  submissionFaces: submissionFaces(anything),
  reviewFace: [reviewFace(anything)],
  doorFace: [doorFace(anything)],
  unsubscribeFace: [unsubscribeFace(anything)],
}

/** Returns the paths of these faces that take a POST. */
export function postsOf(...names: (keyof typeof visitorFaces)[]): string[] {
  return names
    .flatMap(name => visitorFaces[name])
    .flatMap(({ path, routes }) =>
      routes.filter(({ method }) => method === 'POST').map(route => path + route.path),
    )
}
