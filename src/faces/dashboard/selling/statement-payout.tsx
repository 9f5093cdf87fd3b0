import { button } from '#faces/dashboard/frame/button.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { matchPayout, type PayoutOfLine } from '#product/selling/bank-statements/payout-lines.ts'
import type { BankLine } from '#product/selling/bank-statements/schemas.ts'
import type { Payout } from '#product/selling/payouts/schemas.ts'
import { OF_STATEMENTS } from './statement-parts.tsx'

const backTo = ({ account, params }: AccountRequest) => paths.bankLine(account.id, params.line ?? '')

/** Notes that a line is a payout that somebody has chosen. It can be undone, so nobody is asked first. */
export const matchLinePayout = button('account', {
  ...OF_STATEMENTS,
  path: '/a/{account}/statements/lines/{line}/payout/{payout}',
  act: (tx, { params }) => matchPayout(tx, params.line ?? '', params.payout ?? ''),
  entry: ({ params }) => ({
    ...{ action: 'statement_line.match', targetType: 'statement_line', targetId: params.line ?? '' },
    details: () => ({ payout_id: params.payout }),
  }),
  next: (_, request) => ({
    path: backTo(request),
    flash: flash(
      'lineMatched',
      {},
      { undo: paths.bankLine(request.account.id, request.params.line ?? '', 'undo') },
    ),
  }),
  back: backTo,
})

/** Names the payout that a line is, and leads to it. */
export function PayoutLink({
  of: { payout, payments },
  accountId,
  voice: { texts, format },
}: {
  of: PayoutOfLine
  accountId: string
  voice: Voice
}) {
  return (
    <a href={paths.payout(accountId, payout.id)}>
      {texts.payouts.named(format.day(payout.arrivesOn), payments)}
    </a>
  )
}

/** Offers the payouts that a line may be. */
export function FittingPayouts({
  line,
  fitting,
  request: { account, voice },
}: {
  line: BankLine
  fitting: readonly Payout[]
  request: AccountRequest
}) {
  const { payouts: labels } = voice.texts
  return (
    <section class="card stack" aria-labelledby="payouts">
      <h2 id="payouts">{labels.fitting}</h2>
      <p class="quiet">{labels.fittingAbout}</p>
      <ul class="todo">
        {fitting.map(payout => (
          <li key={payout.id}>
            <div>
              <PayoutLink of={{ payout, payments: undefined }} accountId={account.id} voice={voice} />
              <div class="small quiet">
                <bdi>{payout.id}</bdi>
              </div>
            </div>
            <PostButton
              action={paths.linePayout(account.id, line.id, payout.id)}
              label={`${labels.itIs}: ${payout.id}`}
            >
              {labels.itIs}
            </PostButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
