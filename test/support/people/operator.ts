import type { TestContext } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { ServerOptions } from '#test/support/server.ts'
import { startDashboard } from './dashboard.ts'

/** Starts a server with its operator, who is the first owner there is. */
export async function startForOperator(t: TestContext, options: ServerOptions = {}) {
  const server = await startDashboard(t, undefined, options)
  const operator = await server.member('owner')
  const path = `/manage/a/${server.accountId}/system`
  const logged = async () =>
    (await server.db.read(server.accountId, tx => accessLog.list(tx, 100)))
      .filter(({ action }) => action.startsWith('system.'))
      .map(({ action, actor, target_id }) => [action, actor, target_id])
  return { ...server, operator, path, logged, who: `user:${operator.user.id}` }
}
