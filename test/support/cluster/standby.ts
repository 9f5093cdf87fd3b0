import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, type PostgresServerOptions, startPostgres } from '../postgres-server.ts'

/** Starts a standby of a PostgreSQL that waits for it with each commit. */
export async function addStandby(
  primary: PostgresServer,
  { settings, place }: Pick<PostgresServerOptions, 'settings' | 'place'>,
): Promise<PostgresServer> {
  const standby = await startPostgres({
    ...(settings === undefined ? {} : { settings }),
    ...(place === undefined ? {} : { place }),
    make: (data, run) => {
      const source = `${primary.url}/postgres?application_name=standby`
      run('pg_basebackup', ['-D', data, '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    },
  })
  // Only now, as nobody could commit before it follows.
  primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  primary.psql('SELECT pg_reload_conf()')
  while (primary.psql('SELECT sync_state FROM pg_stat_replication').trim() !== 'sync') await pause(50)
  return standby
}
