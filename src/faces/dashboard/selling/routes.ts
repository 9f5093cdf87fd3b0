import type { Page } from '#faces/dashboard/frame/page.ts'
import { decideDispute } from './dispute.tsx'
import { doorPayment } from './door-payment.tsx'
import { exchangePage } from './exchange.tsx'
import { orderPage } from './order.tsx'
import { approveOrder, declineOrder, renewOrderLinks, resendOrder, verifyOrder } from './order-forms.tsx'
import { ordersPage } from './orders.tsx'
import { owedPage } from './owed.tsx'
import { acceptOtherAmount, markPaid, returnOtherAmount } from './payment-forms.tsx'
import {
  acknowledgeMissed,
  connectStripe,
  disconnectStripe,
  editBank,
  editDelayed,
  leaveOrphan,
  refundOrphan,
  removeBank,
} from './payment-settings-forms.tsx'
import { paymentsPage } from './payments.tsx'
import { receiptFile, receiptPage } from './receipt.tsx'
import { receiptsCsv, receiptsPage } from './receipts.tsx'
import { refundOfGuest, refundOfOrder } from './refund.tsx'
import { markPaidBack, retryRefund } from './refund-actions.ts'
import { dropRefund } from './refund-drop.tsx'
import { matchStatement, statementPage } from './statement.tsx'
import { statementColumns } from './statement-columns.tsx'
import { bankLinePage } from './statement-line.tsx'
import { ignoreLine, matchLine, matchLineRefund, restoreLine, undoMatch } from './statement-match.tsx'
import { matchLinePayout } from './statement-payout.tsx'
import { statementsPage } from './statements.tsx'

export const sellingPages: readonly Page[] = [
  owedPage,
  paymentsPage,
  statementsPage,
  statementColumns,
  matchStatement,
  statementPage,
  bankLinePage,
  matchLine,
  matchLineRefund,
  matchLinePayout,
  ignoreLine,
  restoreLine,
  undoMatch,
  ordersPage,
  acceptOtherAmount,
  markPaid,
  returnOtherAmount,
  acknowledgeMissed,
  connectStripe,
  disconnectStripe,
  editBank,
  editDelayed,
  leaveOrphan,
  refundOrphan,
  removeBank,
  receiptFile,
  receiptPage,
  receiptsCsv,
  receiptsPage,
  markPaidBack,
  dropRefund,
  retryRefund,
  orderPage,
  approveOrder,
  declineOrder,
  resendOrder,
  verifyOrder,
  renewOrderLinks,
  decideDispute,
  refundOfOrder,
  refundOfGuest,
  doorPayment,
  exchangePage,
]
