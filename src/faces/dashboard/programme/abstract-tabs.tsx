import { Tabs } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { MOST_COUNTED, type State } from '#product/programme/abstracts/of-event.ts'
import type { Abstract } from '#product/programme/abstracts/schemas.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'

export type Counts = Record<Abstract['status'], number>

/** How many are not confirmed, and how many were withdrawn, which are in none of the other counts. */
export type OtherCounts = Record<'unconfirmed' | 'withdrawn', number>

/** Returns how many abstracts there are in all states. */
export function tellAll(counts: Counts, { texts, format }: Voice): string {
  const all = Object.values(counts)
  const sum = all.reduce((total, count) => total + count, 0)
  return texts.abstracts.counted(format.number(sum), all.includes(MOST_COUNTED))
}

interface TabsProps {
  path: string
  query: Query
  counts: Counts
  others: OtherCounts
  voice: Voice
}

/** Shows the counts of all abstracts, and none during a search, which finds abstracts only page by page. */
export function StateTabs({ path, query, counts, others, voice }: TabsProps) {
  const { texts, format } = voice
  const labels = { unconfirmed: texts.afterDecision.tab, withdrawn: texts.abstracts.withdrawn }
  const tabOf = (status: State, text: string, count: number) => ({
    ...{ href: withQuery(path, { ...query, status }), text, isCurrent: query.status === status },
    count:
      query.q === undefined
        ? texts.abstracts.counted(format.number(count), count === MOST_COUNTED)
        : undefined,
  })
  return (
    <Tabs
      label={texts.abstracts.states}
      tabs={[
        {
          href: withQuery(path, { ...query, status: undefined }),
          text: texts.page.all,
          isCurrent: query.status === undefined,
          count: query.q === undefined ? tellAll(counts, voice) : undefined,
        },
        ...abstractStatuses.map(status => tabOf(status, texts.abstracts.status[status], counts[status])),
        ...(['unconfirmed', 'withdrawn'] as const)
          .filter(state => others[state] > 0 || query.status === state)
          .map(state => tabOf(state, labels[state], others[state])),
      ]}
    />
  )
}
