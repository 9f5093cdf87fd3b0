import { allProblems, type ProblemCode } from '#base/problem.ts'
import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import { findThings, type LoggedThings, nameActor, type Thing } from '#faces/dashboard/frame/logged-things.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Empty, Head, Pill, Time } from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { AccessLogEntry } from '#product/administration/access-log/schemas.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'

const PER_PAGE = 50

/** These match an actor and an action as entries name them. The filters ignore anything else. */
const ACTOR = /^(cli|server|(user|key):[0-9a-f-]{36})$/
const ACTION = /^[a-z_.]{1,60}$/

interface Loaded {
  query: Query
  entries: readonly AccessLogEntry[]
  next: string | undefined
  things: LoggedThings
}

/** Lists what people and programs have done in an account, and what was refused to them. */
export const accessLogPage = showPage('account', {
  path: '/a/{account}/log',
  permission: 'log',
  navigation: { icon: 'list', text: texts => texts.navigation.log },
  prepare: async ({ db, cursors }, request): Promise<Loaded> => {
    const { account, query } = request
    const read = (name: string, pattern: RegExp) => {
      const value = query.get(name) ?? ''
      return pattern.test(value) ? value : undefined
    }
    const wanted = { actor: read('who', ACTOR), action: read('what', ACTION) }
    const scope = `log ${account.id} ${wanted.actor} ${wanted.action}`
    const after = readCursor(cursors, scope, request)
    const { entries, next } = await accessLog.page(db, account.id, wanted, { limit: PER_PAGE, after })
    return {
      query: { who: wanted.actor, what: wanted.action, after: query.get('after') ?? undefined },
      entries,
      next: next && cursors.encode(scope, next),
      things: await db.read(account.id, tx => findThings(tx, entries)),
    }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.log.title,
    body: <AccessLog loaded={loaded} request={request} />,
  }),
})

function AccessLog({ loaded, request }: { loaded: Loaded; request: AccountRequest }) {
  const { query, entries, next, things } = loaded
  const { account, voice } = request
  const { texts } = voice
  const path = paths.log(account.id)
  return (
    <div class="stack">
      <Head title={texts.log.title} about={texts.log.about} />
      <ListTools path={path} query={query} voice={voice} filters={filtersOf(query, things)} />
      {entries.length === 0 ? (
        <Empty icon="list" title={texts.log.none}>
          {next === undefined ? texts.log.noneAbout : texts.log.noneAmong}
        </Empty>
      ) : (
        <Table list={listOf(path, things)} rows={entries} voice={voice} />
      )}
      <Pages path={path} query={query} shown={entries.length} next={next} texts={texts} />
      <p class="help">{texts.page.timesIn(account.timezone)}</p>
    </div>
  )
}

/** Returns the filters. The chosen actor and action are among the choices, even if the actor is gone. */
function filtersOf({ who, what }: Query, things: LoggedThings) {
  const actors = ['cli', ...things.actors.keys()]
  if (who !== undefined && !actors.includes(who)) actors.push(who)
  const actions = (texts: Texts) => {
    const actions = Object.keys(texts.log.actions)
    return what === undefined || actions.includes(what) ? actions : [...actions, what]
  }
  return {
    who: choiceField(
      actors,
      texts => sorted(actors.map(value => ({ value, label: nameActor(things, value, texts) }))),
      { label: texts => texts.log.who },
    ),
    what: choiceField(
      [],
      texts => sorted(actions(texts).map(value => ({ value, label: nameAction(value, texts) }))),
      { label: texts => texts.log.what },
    ),
  }
}

function sorted<Of extends { label: string }>(choices: Of[]): Of[] {
  return choices.sort((one, other) => one.label.localeCompare(other.label))
}

function nameAction(action: string, { log }: Texts): string {
  const names: Readonly<Record<string, string>> = log.actions
  return names[action] ?? action
}

function listOf(path: string, things: LoggedThings): List<AccessLogEntry> {
  return {
    caption: texts => texts.log.caption,
    columns: [
      {
        label: texts => texts.log.what,
        place: 'name',
        cell: (entry, { texts }) => <What entry={entry} things={things} texts={texts} />,
      },
      {
        label: texts => texts.log.who,
        place: 'line',
        cell: ({ actor }, { texts }) => (
          <a href={withQuery(path, { who: actor })}>
            <bdi>{nameActor(things, actor, texts)}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.log.from,
        place: 'wide',
        cell: ({ address }) => <bdi>{address}</bdi>,
      },
      {
        label: texts => texts.log.when,
        place: 'when',
        isNumber: true,
        cell: ({ at }, { format }) => <Time at={at} format={format} />,
      },
    ],
  }
}

interface WhatProps {
  entry: AccessLogEntry
  things: LoggedThings
  texts: Texts
}

function What({ entry, things, texts }: WhatProps) {
  const { action, target_type, target_id, details } = entry
  const target = things.targets.get(`${target_type} ${target_id}`) ?? nameGone(details)
  const refusal = tellRefusal(details, texts)
  const changed = tellChanged(details, texts)
  return (
    <>
      {nameAction(action, texts)} {details.code !== undefined && <Pill tone="bad">{texts.log.refused}</Pill>}
      {target !== undefined && (
        <>
          <br />
          {target.href === undefined ? (
            <bdi class="small quiet">{target.name}</bdi>
          ) : (
            <a href={target.href}>
              <bdi class="small">{target.name}</bdi>
            </a>
          )}
        </>
      )}
      {refusal !== '' && (
        <>
          <br />
          <span class="small quiet">{refusal}</span>
        </>
      )}
      {changed !== '' && (
        <>
          <br />
          <span class="small quiet">{changed}</span>
        </>
      )}
    </>
  )
}

/** Returns the name that a thing had when it was removed, as far as its entry has one. */
function nameGone({ title, name }: Record<string, unknown>): Thing | undefined {
  const label = title ?? name
  return typeof label === 'string' ? { name: label } : undefined
}

function tellRefusal({ code, ...details }: Record<string, unknown>, texts: Texts): string {
  if (typeof code !== 'string' || !Object.hasOwn(allProblems, code)) return ''
  return describeProblem(texts, { code: code as ProblemCode, details, message: '' })
}

/** Names the changed fields, but not what they contained. */
function tellChanged({ changed }: Record<string, unknown>, { log }: Texts): string {
  if (!Array.isArray(changed) || changed.length === 0) return ''
  const fields = changed.map(field => nameField(String(field), log))
  return log.changed([...new Set(fields)].join(', '))
}

/** Names a field of a form. The fields of tickets and answers have the id of what they are about in their names. */
function nameField(field: string, log: Texts['log']): string {
  if (field.startsWith('ticket.')) return log.ofTicket
  if (field.startsWith('answer.')) return log.ofAnswer
  const names: Readonly<Record<string, string>> = log.fields
  return names[field] ?? field
}
