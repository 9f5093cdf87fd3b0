import type { FormParts } from '#faces/dashboard/frame/form-parts.tsx'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { accountTopics, paths } from '#faces/dashboard/frame/paths.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { Tabs } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { ReceiptSettings } from '#product/administration/accounts/schemas.ts'

type Topic = (typeof accountTopics)[number]

/** Returns the rules by which a form changes an account, and stays where it is unless it was opened from elsewhere. */
export function editOf(topic: Topic) {
  return {
    permission: 'account',
    isOfAllEvents: true,
    takesWayBack: true,
    keepsTyped: true,
    act: (tx: WriteTx, _: AccountRequest, { changes }: { changes: Partial<ReceiptSettings> }) =>
      accounts.update(tx, changes),
    entry: ({ account }: AccountRequest) => ({
      action: 'account.update',
      targetType: 'account',
      targetId: account.id,
    }),
    next: ({ id }: { id: string }) => ({
      path: paths.accountSettings(id, topic),
      flash: flash('accountSaved', {}),
    }),
  } as const
}

/** Returns what the pages of the settings have in common: the heading, the tabs, and the button. */
export function settingsParts(topic: Topic, { account, voice }: AccountRequest) {
  const { accountSettings: texts, page } = voice.texts
  const tabs = accountTopics.map(each => ({
    href: paths.accountSettings(account.id, each),
    text: texts.topics[each],
    isCurrent: each === topic,
  }))
  return {
    title: texts.title,
    windowTitle: `${texts.topics[topic]} · ${texts.title}`,
    tabs: <Tabs label={texts.title} tabs={tabs} />,
    submit: page.save,
    leave: paths.events(account.id),
  } satisfies FormParts
}
