import { assetPath } from '#machinery/web/assets/assets.ts'
import { type FormState, isRefused } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { ReceiptPaper } from '#product/selling/receipts/view.tsx'
import { StoreDocument } from '../document.tsx'
import { inSpeech } from '../voice.ts'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

/** Shows a receipt for printing. */
export function ReceiptDocument({ receipt, ...props }: OrderProps & { receipt: Receipt }) {
  const { path, speech, voice, event } = props
  const { receipts } = voice.texts
  const text = receiptText(receipt)
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[receipts.of(text.kind, text.number), event.title]}
      head={
        <>
          <meta name="robots" content="noindex" />
          <link rel="stylesheet" href={assetPath('receipt.css')} />
        </>
      }
    >
      <div class="receipt-tools">
        <a class="button" href={inSpeech(speech, path)}>
          {receipts.back}
        </a>
        <a class="button main" href={`${path}/receipts/${receipt.id}/pdf`}>
          {receipts.pdf}
        </a>
        <span class="small quiet">{receipts.print}</span>
      </div>
      <ReceiptPaper text={text} />
    </StoreDocument>
  )
}

/** Shows the form for the recipient of the receipt. */
export function InvoiceDocument({ state, ...props }: OrderProps & { state: FormState }) {
  const { path, speech, voice } = props
  const { texts } = voice
  return (
    <Frame
      {...props}
      title={texts.receipts.invoiceTitle}
      here={`${path}/invoice`}
      isRefused={isRefused(state)}
    >
      <h1>{texts.receipts.invoiceTitle}</h1>
      <p class="quiet">{texts.receipts.invoiceHelp}</p>
      <Form
        state={state}
        texts={texts}
        action={inSpeech(speech, `${path}/invoice`)}
        submit={texts.checkout.save}
        leave={inSpeech(speech, path)}
        leaveText={texts.checkout.toOrder}
      >
        <FieldRows state={state} texts={texts} />
      </Form>
    </Frame>
  )
}
