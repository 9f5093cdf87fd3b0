import Router from '@koa/router'
import Koa from 'koa'
import { Problem } from '../problem.ts'
import { setBodyRate } from './body-rate.ts'
import type { Face, NamedRoute, Stage, State } from './face.ts'
import { answerProblems, identify, logRequest, readTarget, type SiteServices } from './framing.ts'
import type { Service } from './server.ts'

/** A face with its router. */
interface Mount {
  face: Face
  router: Router<State>
  answer: Stage
}

/**
 * Mounts faces by path, the longest match first. A path that no face has is answered in JSON, and counts against the limit of
 * its address, like an unknown path within a face.
 */
export function buildSite(services: SiteServices, faces: readonly Face[]): Service {
  const { addresses, observe } = services
  const koa = new Koa<State>()
  koa.silent = true
  koa
    .use(identify)
    .use(logRequest(services))
    .use(answerProblems(services))
    .use(readTarget(services))
    .use(enterFace(services, faces))
  return {
    listener: koa.callback(),
    rateLimitHeaders: request => addresses.headersOf(request),
    count: request => addresses.count(request),
    observe,
  }
}

function enterFace({ addresses }: SiteServices, faces: readonly Face[]): Stage {
  const mounts = faces.map(mount).sort((one, other) => other.face.path.length - one.face.path.length)
  return async context => {
    const entered = mounts.find(({ face }) => isBelow(context.path, face.path))
    if (entered === undefined) {
      addresses.apply(context)
      throw new Problem('route_not_found')
    }
    const { face, router, answer } = entered
    context.state.face = face
    context.set(face.headers ?? {})
    await answer(context, async () => {
      addresses.apply(context)
      const known = router.match(context.path, context.method).path
      if (known.length === 0) throw new Problem('route_not_found')
      context.set('Allow', [...new Set(known.flatMap(layer => layer.methods))].join(', '))
      throw new Problem('method_not_allowed')
    })
  }
}

/** Compares whole segments: `/v10` is not below `/v1`. */
function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && (path.length === above.length || path[above.length] === '/')
}

function mount(face: Face): Mount {
  const router = new Router<State>({ sensitive: true, strict: true })
  for (const { method, path, stages, logLevel = 'info', bodyRate } of face.routes) {
    const route: NamedRoute = { path: (face.loggedPath ?? face.path) + path || '/', logLevel }
    router.register(
      (face.path + path).replace(/\{(\w+)\}/g, ':$1'),
      [method],
      [nameRoute(route, bodyRate), ...(stages as readonly Stage[])],
    )
  }
  return { face, router, answer: router.routes() as Stage }
}

/** Notes the route, for the log and the metrics, and how slowly its body may come in. */
function nameRoute(route: NamedRoute, bodyRate: number | undefined): Stage {
  return (context, next) => {
    context.state.route = route
    if (bodyRate !== undefined) setBodyRate(context.req, bodyRate)
    return next()
  }
}
