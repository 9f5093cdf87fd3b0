import * as keys from '../../keys/rules.ts'
import type { ApiKey } from '../../keys/schemas.ts'
import { allScopes } from '../../keys/scopes.ts'
import { ButtonLink, Empty, Facts, Head, Pill, Time } from '../../web/components/parts.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import type { Voice } from '../../web/voice.ts'
import type { OfAccount } from '../asked.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

type State = keyof Texts['keys']['states']

/** A key, with how it stands now. */
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

/** The keys of an account: never their texts, of which the database has only the hashes. */
export const keyList = showPage('account', {
  path: '/a/{account}/keys',
  permission: 'keys',
  navigation: { icon: 'key', text: texts => texts.navigation.keys },
  load: async (tx, { account }, { clock }) => {
    const now = clock()
    return (await keys.list(tx, account.id)).map(key => toRow(key, now)).reverse()
  },
  view: (rows, asked) => ({
    title: asked.voice.texts.keys.title,
    body: <KeyList rows={rows} asked={asked} />,
  }),
})

function KeyList({ rows, asked: { account, voice } }: { rows: readonly Row[]; asked: OfAccount }) {
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

/** One key, with what it may do in words. */
export const showKey = showPage('account', {
  path: '/a/{account}/keys/{key}',
  permission: 'keys',
  load: async (tx, { account, params }, { clock }) =>
    toRow(await keys.get(tx, account.id, params.key ?? ''), clock()),
  view: (key, asked) => ({ title: key.name, body: <KeyPage row={key} asked={asked} /> }),
})

function KeyPage({ row, asked: { account, voice } }: { row: Row; asked: OfAccount }) {
  const { texts, format } = voice
  const { keys: told } = texts
  return (
    <>
      <Head
        title={<bdi>{row.name}</bdi>}
        crumbs={<a href={paths.keys(account.id)}>{told.title}</a>}
        pill={<KeyState state={row.state} texts={texts} />}
        actions={
          row.state === 'revoked' ? undefined : (
            <ButtonLink href={paths.revokeKey(account.id, row.id)}>{told.revoke}</ButtonLink>
          )
        }
      />
      <div class="card">
        <Facts
          facts={[
            [told.key, `svc_…${row.last_four}`],
            [
              told.scopes,
              <ul key="scopes">
                {row.scopes.map(scope => (
                  <li key={scope}>
                    {told.scope[scope]} <span class="small quiet">{scope}</span>
                  </li>
                ))}
              </ul>,
            ],
            [told.rateLimit, row.rate_limit === 0 ? told.noLimit : format.number(row.rate_limit)],
            [told.created, <Time key="created" at={row.created_at} format={format} />],
            [told.lastUsed, <TimeOrNever key="used" at={row.last_used_at} voice={voice} />],
            [told.expires, <TimeOrNever key="expires" at={row.expires_at} voice={voice} />],
            ...(row.revoked_at === null
              ? []
              : [[told.revoked, <Time key="revoked" at={row.revoked_at} format={format} />] as const]),
          ]}
        />
      </div>
    </>
  )
}
