import { sayReceipt } from '../../receipts/said.ts'
import type { Receipt } from '../../receipts/schemas.ts'
import { ReceiptPaper } from '../../receipts/view.tsx'
import { assetPath } from '../../web/assets/assets.ts'
import type { FormState } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { StoreDocument } from '../document.tsx'
import { inSpeech } from '../voice.ts'
import { Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'

/** A receipt to be printed. */
export function ReceiptDocument({ receipt, ...props }: OrderProps & { receipt: Receipt }) {
  const { path, speech, voice, event } = props
  const { receipts } = voice.texts
  const said = sayReceipt(receipt)
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[receipts.of(said.kind, said.number), event.title]}
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
      <ReceiptPaper said={said} />
    </StoreDocument>
  )
}

/** Whom the receipt will be made out to. */
export function InvoiceDocument({ state, ...props }: OrderProps & { state: FormState }) {
  const { path, speech, voice } = props
  const { texts } = voice
  return (
    <Frame {...props} title={texts.receipts.invoiceTitle}>
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
