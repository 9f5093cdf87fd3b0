import type { Page } from './page.ts'
import { acceptOtherAmount, markPaid, returnOtherAmount } from './pages/payment-forms.tsx'
import {
  acknowledgeMissed,
  connectStripe,
  disconnectStripe,
  editBank,
  leaveOrphan,
  refundOrphan,
  removeBank,
} from './pages/payment-settings-forms.tsx'
import { receiptFile, receiptPage } from './pages/receipt.tsx'
import { receiptsCsv, receiptsPage } from './pages/receipts.tsx'
import { markPaidBack, retryRefund } from './pages/refund-actions.ts'

/** The pages of payments, refunds and receipts, and of what takes money. */
export const moneyPages: readonly Page[] = [
  acceptOtherAmount,
  markPaid,
  returnOtherAmount,
  acknowledgeMissed,
  connectStripe,
  disconnectStripe,
  editBank,
  leaveOrphan,
  refundOrphan,
  removeBank,
  receiptFile,
  receiptPage,
  receiptsCsv,
  receiptsPage,
  markPaidBack,
  retryRefund,
]
