import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Facts, Head, Pill, Time } from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as keys from '#product/administration/keys/rules.ts'
import type { ApiKey } from '#product/administration/keys/schemas.ts'
import { allScopes } from '#product/administration/keys/scopes.ts'
import type { Texts } from '#texts/texts.ts'

type State = keyof Texts['keys']['states']

/** A key with its present state. */
interface Row extends ApiKey {
  state: State
}

function toRow(key: ApiKey, now: number): Row {
  const isOver = key.expires_at !== null && Date.parse(key.expires_at) <= now
  return { ...key, state: key.revoked_at !== null ? 'revoked' : isOver ? 'expired' : 'active' }
}

const tones = { active: 'good', expired: 'warn', revoked: 'off' } as const

function KeyState({ state, texts }: { state: State; texts: Texts }) {
  return <Pill tone={tones[state]}>{texts.keys.states[state]}</Pill>
}

/** Lists the keys of an account, but never their texts, because the database has only their hashes. */
export const keyList = showPage('account', {
  path: '/a/{account}/keys',
  permission: 'keys',
  navigation: { icon: 'key', text: texts => texts.navigation.keys },
  load: async (tx, _, { clock }) => {
    const now = clock()
    return (await keys.list(tx)).map(key => toRow(key, now)).reverse()
  },
  view: (rows, request) => ({
    title: request.voice.texts.keys.title,
    body: <KeyList rows={rows} request={request} />,
  }),
})

function KeyList({ rows, request: { account, voice } }: { rows: readonly Row[]; request: AccountRequest }) {
  const { keys: texts } = voice.texts
  const create = (
    <ButtonLink href={paths.newKey(account.id)} main>
      {texts.create}
    </ButtonLink>
  )
  if (rows.length === 0) {
    return (
      <>
        <Head title={texts.title} />
        <Empty icon="key" title={texts.none} action={create}>
          {texts.noneAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={texts.title} actions={create} />
      <Table list={listOf(account.id)} rows={rows} voice={voice} />
    </>
  )
}

function listOf(accountId: string): List<Row> {
  return {
    caption: texts => texts.keys.caption,
    columns: [
      {
        label: texts => texts.keys.name,
        place: 'name',
        cell: ({ id, name, last_four }) => (
          <>
            <a href={paths.key(accountId, id)}>
              <bdi>{name}</bdi>
            </a>
            <br />
            <span class="small quiet">svc_…{last_four}</span>
          </>
        ),
      },
      {
        label: texts => texts.keys.state,
        place: 'amount',
        cell: ({ state }, { texts }) => <KeyState state={state} texts={texts} />,
      },
      {
        label: texts => texts.keys.scopes,
        place: 'line',
        cell: ({ scopes }, { texts }) =>
          scopes.length === allScopes.length ? texts.keys.everything : scopes.join(', '),
      },
      {
        label: texts => texts.keys.lastUsed,
        place: 'when',
        isNumber: true,
        cell: ({ last_used_at }, voice) => <TimeOrNever at={last_used_at} voice={voice} />,
      },
      {
        label: texts => texts.keys.expires,
        place: 'wide',
        isNumber: true,
        cell: ({ expires_at }, voice) => <TimeOrNever at={expires_at} voice={voice} />,
      },
    ],
  }
}

function TimeOrNever({ at, voice: { texts, format } }: { at: string | null; voice: Voice }) {
  return at === null ? texts.page.never : <Time at={at} format={format} />
}

/** Shows one key, and says in words what it may do. */
export const showKey = showPage('account', {
  path: '/a/{account}/keys/{key}',
  permission: 'keys',
  load: async (tx, { params }, { clock }) => toRow(await keys.get(tx, params.key ?? ''), clock()),
  view: (key, request) => ({ title: key.name, body: <KeyPage row={key} request={request} /> }),
})

function KeyPage({ row, request: { account, voice } }: { row: Row; request: AccountRequest }) {
  const { texts, format } = voice
  const { keys: labels } = texts
  return (
    <>
      <Head
        title={<bdi>{row.name}</bdi>}
        crumbs={<a href={paths.keys(account.id)}>{labels.title}</a>}
        pill={<KeyState state={row.state} texts={texts} />}
        actions={
          row.state === 'revoked' ? undefined : (
            <ButtonLink href={paths.revokeKey(account.id, row.id)} isDestructive>
              {labels.revoke}
            </ButtonLink>
          )
        }
      />
      <div class="card">
        <Facts
          facts={[
            [labels.key, `svc_…${row.last_four}`],
            [
              labels.scopes,
              <ul key="scopes">
                {row.scopes.map(scope => (
                  <li key={scope}>
                    {labels.scope[scope]} <span class="small quiet">{scope}</span>
                  </li>
                ))}
              </ul>,
            ],
            [labels.rateLimit, row.rate_limit === 0 ? labels.noLimit : format.number(row.rate_limit)],
            [labels.created, <Time key="created" at={row.created_at} format={format} />],
            [labels.lastUsed, <TimeOrNever key="used" at={row.last_used_at} voice={voice} />],
            [labels.expires, <TimeOrNever key="expires" at={row.expires_at} voice={voice} />],
            ...(row.revoked_at === null
              ? []
              : [[labels.revoked, <Time key="revoked" at={row.revoked_at} format={format} />] as const]),
          ]}
        />
      </div>
    </>
  )
}
