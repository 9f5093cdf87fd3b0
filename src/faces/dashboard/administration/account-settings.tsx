import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { accountTopics, paths } from '#faces/dashboard/frame/paths.ts'
import { settingsByTopic } from '#faces/dashboard/frame/settings-parts.tsx'
import type { WriteTx } from '#machinery/db/port.ts'
import { flash } from '#machinery/web/flash.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { ForgettingSettings, ReceiptSettings } from '#product/administration/accounts/schemas.ts'

type Topic = (typeof accountTopics)[number]

/** Returns the rules by which a form changes an account, and stays where it is unless it was opened from elsewhere. */
export function editOf(topic: Topic) {
  return {
    permission: 'account',
    isOfAllEvents: true,
    takesWayBack: true,
    keepsTyped: true,
    act: (
      tx: WriteTx,
      _: AccountRequest,
      { changes }: { changes: Partial<ReceiptSettings & ForgettingSettings> },
    ) => accounts.update(tx, changes),
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

/** Returns what the pages of the settings have in common. */
export function settingsParts(topic: Topic, { account, voice: { texts } }: AccountRequest) {
  return settingsByTopic({
    ...{ topics: accountTopics, topic, texts, labels: texts.accountSettings },
    pathOf: each => paths.accountSettings(account.id, each),
    leave: paths.events(account.id),
  })
}
