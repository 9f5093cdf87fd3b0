import assert from 'node:assert/strict'
import { test } from 'node:test'
import Router from '@koa/router'
import { routes as operations } from '#faces/api/routes.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { RouteTree } from '#machinery/http/route-tree.ts'

interface Route {
  method: 'GET' | 'POST'
  path: string
}

/** Returns what the router would take: the first of the matching routes, with its captures. */
function routerOf(routes: readonly Route[]) {
  const router = new Router({ sensitive: true, strict: true })
  for (const { method, path } of routes)
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], [() => undefined])
  return (method: string, path: string) => {
    const [layer] = router.match(path, method).pathAndMethod
    if (layer === undefined) return undefined
    return { route: routes[router.stack.indexOf(layer)], captures: layer.captures(path) }
  }
}

const dashboard = pages.flatMap(({ path }): Route[] => [
  { method: 'GET', path: `/dashboard${path}` },
  { method: 'POST', path: `/dashboard${path}` },
])
const faces: readonly (readonly Route[])[] = [
  operations.map(({ method, path }) => ({ method, path: `/v1${path}` })),
  dashboard,
  [
    { method: 'GET', path: '/{account}/{event}' },
    { method: 'GET', path: '/{account}/new' },
    { method: 'GET', path: '/fixed/{event}' },
    { method: 'GET', path: '/{account}/{event}/picture-{hash}' },
    { method: 'GET', path: '/{account}/{event}/{anything}' },
    { method: 'GET', path: '/{account}/{event}/{anything}/end' },
    { method: 'POST', path: '/{account}/{event}' },
    { method: 'GET', path: '/{account}/{event}/' },
    { method: 'GET', path: '/' },
  ],
]

const SEGMENTS = [
  '',
  'x',
  'new',
  'fixed',
  '%2F',
  '%',
  'a%20b',
  '..',
  '.',
  'NEW',
  ':id',
  '{id}',
  'picture-1',
  '~',
  'a;b',
  'a,b',
  '*',
]

test('a path finds the route, and the values of its parameters, that the router finds: the first of all that match', () => {
  let found = 0
  for (const routes of faces) {
    const tree = new RouteTree(routes)
    const route = routerOf(routes)
    const paths = new Set<string>()
    for (const { path } of routes) {
      for (const segment of SEGMENTS) {
        const filled = path.replace(/\{\w+\}/g, segment)
        for (const put of [filled, `${filled}/`, `${filled}/${segment}`, `/${filled}`, filled.toUpperCase()])
          paths.add(put)
      }
    }
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'get']) {
        const inTree = tree.find(method, path)
        // The router decides about what the tree does not find.
        if (inTree === undefined) continue
        found++
        assert.deepEqual(inTree, route(method, path), `${method} ${path}`)
      }
    }
  }
  assert.ok(found > 2_000, `${found}`)
})

test('every route of the API and of the dashboard is found in the tree, and nothing below or beside it', () => {
  for (const routes of faces.slice(0, 2)) {
    const tree = new RouteTree(routes)
    for (const route of routes) {
      const path = route.path.replace(/\{\w+\}/g, '0197a0b4')
      assert.equal(tree.find(route.method, path)?.route.path, route.path)
      assert.equal(tree.find(route.method, `${path}/x/y/z`), undefined)
      assert.equal(tree.find('DELETE', path), undefined)
    }
  }
})
