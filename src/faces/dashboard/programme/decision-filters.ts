import * as v from 'valibot'
import { choiceField, textField } from '#machinery/web/forms/field.ts'
import type { Fields } from '#machinery/web/forms/form.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { type Order, sorts } from '#product/programme/decisions/narrowing.ts'
import type { Standings } from '#product/programme/decisions/standings.ts'
import type { Texts } from '#texts/texts.ts'
import { NAMED, nameOf, proposalFilters } from './decision-query.ts'
import { labelOf } from './decision-table.tsx'

/** Returns the filters that make sense for an event. On a phone, one of them is the order. */
export function filtersOf({ call, round }: Standings, order: Order): Fields {
  const topics = offered(call?.topics ?? [])
  const kinds = offered(call?.kinds ?? [])
  const named = (all: readonly { id: string; name: string }[], label: (texts: Texts) => string) =>
    choiceField(
      all.map(({ id }) => id),
      () => all.map(({ id, name }) => ({ value: id, label: name })),
      { label },
    )
  return {
    ...(topics.length === 0 ? {} : { topic: named(topics, texts => texts.proposals.topic) }),
    ...(kinds.length === 0 ? {} : { kind: named(kinds, texts => texts.proposals.kind) }),
    state: choiceField(
      abstractStatuses,
      texts => abstractStatuses.map(value => ({ value, label: texts.abstracts.status[value] })),
      { label: texts => texts.proposals.state },
    ),
    proposal: choiceField(
      proposalFilters,
      texts => proposalFilters.map(value => ({ value, label: texts.proposals.proposals[value] })),
      { label: texts => texts.proposals.proposal },
    ),
    ...(round?.blind === false ? {} : { text: namedField }),
    ...(round === undefined ? {} : reviewFilters),
    sort: sortField(order),
  }
}

const namedField = choiceField([NAMED], texts => [{ value: NAMED, label: texts.proposals.named }], {
  label: texts => texts.proposals.text,
})

const figureControl = { kind: 'input', type: 'text', inputmode: 'decimal' } as const
const anyText = v.string()

const reviewFilters: Fields = {
  few: choiceField(['yes'], texts => [{ value: 'yes', label: texts.proposals.fewer }], {
    label: texts => texts.proposals.few,
  }),
  least: textField(anyText, { label: texts => texts.proposals.least, control: figureControl }),
  most: textField(anyText, { label: texts => texts.proposals.most, control: figureControl }),
}

function sortField(order: Order) {
  const choices = (texts: Texts) => [
    ...sorts.map(sort => ({ value: sort as string, label: labelOf(sort, texts) })),
    ...(order.isReversed
      ? [{ value: nameOf(order) as string, label: texts.proposals.reversed(labelOf(order.sort, texts)) }]
      : []),
  ]
  return choiceField([...sorts, ...sorts.map(sort => `-${sort}` as const)], choices, {
    label: texts => texts.proposals.sort,
  })
}
