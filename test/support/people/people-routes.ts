import { dashboardFace } from '#faces/dashboard/frame/face.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { doorFace } from '#faces/scanner/face.ts'
import { storefrontFace } from '#faces/storefront/face.ts'
import { orderFaces } from '#faces/storefront/order-faces.ts'
import { reviewFace } from '#faces/storefront/reviewing/review-faces.ts'
import { submissionFaces } from '#faces/storefront/submitting/submission-faces.ts'
import { unsubscribeFace } from '#faces/unsubscribe/face.tsx'

/** Stands for the parts of a face, which reads none of them before a request comes. */
// biome-ignore lint/suspicious/noExplicitAny: it stands for services of every kind
const nothing: any = new Proxy(() => nothing, { get: () => nothing })

/** Every route of the faces that people's browsers, phones and mail programs call, with its full path. */
export const peoplesRoutes: readonly { face: string; method: 'GET' | 'POST'; path: string }[] = [
  dashboardFace(nothing, pages),
  storefrontFace(nothing),
  ...orderFaces(nothing),
  ...submissionFaces(nothing),
  reviewFace(nothing),
  doorFace(nothing),
  unsubscribeFace(nothing),
].flatMap(({ path: face, routes }) =>
  (routes as readonly { method: 'GET' | 'POST'; path: string }[]).map(({ method, path }) => ({
    face,
    method,
    path: face + path,
  })),
)
