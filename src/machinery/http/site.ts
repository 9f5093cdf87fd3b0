import Router from '@koa/router'
import Koa from 'koa'
import { Problem } from '#base/problem.ts'
import { setBodyRate } from './body-rate.ts'
import type { Context, Face, NamedRoute, Stage, State } from './face.ts'
import {
  answerProblems,
  identify,
  leaveOutCounts,
  logRequest,
  readTarget,
  type SiteServices,
} from './framing.ts'
import { RouteTree } from './route-tree.ts'
import type { Service } from './server.ts'

/** A face with its router, and the tree that is asked before it. */
interface Mount {
  face: Face
  tree: RouteTree<MountedRoute>
  router: Router<State>
  answer: Stage
}

interface MountedRoute {
  method: 'GET' | 'POST'
  /** The path with that of its face. */
  path: string
  stages: readonly Stage[]
}

/**
 * Mounts faces by path, the longest match first. A path that no face has is answered in JSON, and counts against the limit of its
 * address, like an unknown path within a face.
 */
export function buildSite(services: SiteServices, faces: readonly Face[]): Service {
  const { addresses, observe, ofTransport } = services
  const koa = new Koa<State>()
  koa.silent = true
  koa
    .use(identify(services))
    .use(logRequest(services))
    .use(leaveOutCounts())
    .use(answerProblems(services))
    .use(readTarget(services))
    .use(enterFace(services, faces))
  return {
    listener: koa.callback(),
    standingHeaders: request => ({ ...addresses.headersOf(request), ...ofTransport?.(request) }),
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
    const { face, tree, router, answer } = entered
    context.state.face = face
    if (face.headers !== undefined) context.set(face.headers)
    const found = tree.find(context.method, context.path)
    if (found !== undefined) {
      context.captures = found.captures
      return runStages(found.route.stages, 0, context)
    }
    await answer(context, async () => {
      addresses.apply(context)
      const matching = router.match(context.path, context.method).path
      if (matching.length === 0) throw new Problem('route_not_found')
      context.set('Allow', [...new Set(matching.flatMap(layer => layer.methods))].join(', '))
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
  const routes = face.routes.map(({ method, path, stages, logLevel, bodyRate }): MountedRoute => {
    const route: NamedRoute = {
      path: (face.loggedPath ?? face.path) + path || '/',
      logLevel: logLevel ?? 'info',
    }
    const all = [nameRoute(route, bodyRate), ...(stages as readonly Stage[])]
    return { method, path: face.path + path, stages: all }
  })
  for (const { method, path, stages } of routes)
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], [...stages])
  return { face, tree: new RouteTree(routes), router, answer: router.routes() as Stage }
}

/** Runs the stages in the same way as koa-compose. */
function runStages(stages: readonly Stage[], at: number, context: Context): Promise<unknown> {
  const stage = stages[at]
  if (stage === undefined) return Promise.resolve()
  return stage(context, () => runStages(stages, at + 1, context))
}

/** Returns the stage that notes the route for the log and the metrics, and how slowly its body may come in. */
function nameRoute(route: NamedRoute, bodyRate: number | undefined): Stage {
  return (context, next) => {
    context.state.route = route
    if (bodyRate !== undefined) setBodyRate(context.req, bodyRate)
    return next()
  }
}
