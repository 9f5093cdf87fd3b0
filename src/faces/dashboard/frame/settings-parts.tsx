import { Tabs } from '#machinery/web/components/parts.tsx'
import type { Texts } from '#texts/texts.ts'
import type { FormParts } from './form-parts.tsx'

interface Settings<Topic extends string> {
  topics: readonly Topic[]
  /** The topic that is shown. */
  topic: Topic
  pathOf: (topic: Topic) => string
  labels: { title: string; topics: Readonly<Record<Topic, string>> }
  leave: string
  texts: Texts
}

/** Returns what the pages of settings by topic have in common: the heading, the tabs, and the button. */
export function settingsByTopic<Topic extends string>({
  topics,
  topic,
  pathOf,
  labels,
  leave,
  texts,
}: Settings<Topic>) {
  const tabs = topics.map(each => ({
    href: pathOf(each),
    text: labels.topics[each],
    isCurrent: each === topic,
  }))
  return {
    title: labels.title,
    windowTitle: `${labels.topics[topic]} · ${labels.title}`,
    tabs: <Tabs label={labels.title} tabs={tabs} />,
    submit: texts.page.save,
    leave,
  } satisfies FormParts
}
