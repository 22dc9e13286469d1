import type { RunAnswer } from '../../../runs/runs.ts'
import type { GatewayError } from '../gateway-error.ts'
import { messageItem, responseObject, textPart } from './response-object.ts'
import { choiceOf, frame, type ReplyHead } from './wire.ts'

/** Writes the numbered events of a streamed response: each item is opened, filled and closed. */
export function createResponseEvents(head: ReplyHead) {
  const output: object[] = []
  let sequenceNumber = 0
  let text = ''
  let isOpen = false

  function event(type: string, fields: object): string {
    const data = { type, sequence_number: sequenceNumber, ...fields }
    sequenceNumber += 1
    return frame({ event: type, data })
  }

  const part = () => ({ item_id: `msg_${head.id}`, output_index: output.length, content_index: 0 })

  function open(): string {
    if (isOpen) return ''
    isOpen = true
    const item = messageItem({ head, text: '', status: 'in_progress' })
    return (
      event('response.output_item.added', { output_index: output.length, item }) +
      event('response.content_part.added', { ...part(), part: textPart('') })
    )
  }

  return {
    begin(): string {
      const response = responseObject({ head, status: 'in_progress', output: [] })
      return (
        event('response.created', { ...choiceOf(head), response }) +
        event('response.in_progress', { response })
      )
    },

    thought(summary: string): string {
      const index = output.length
      const id = `rs_${head.id}_${index}`
      const item = { id, type: 'reasoning', summary: [] as object[] }
      const place = { item_id: id, output_index: index, summary_index: 0 }
      const whole = { type: 'summary_text', text: summary }
      const said =
        event('response.output_item.added', { output_index: index, item }) +
        event('response.reasoning_summary_part.added', { ...place, part: { ...whole, text: '' } }) +
        event('response.reasoning_summary_text.delta', { ...place, delta: summary }) +
        event('response.reasoning_summary_text.done', { ...place, text: summary }) +
        event('response.reasoning_summary_part.done', { ...place, part: whole }) +
        event('response.output_item.done', { output_index: index, item: { ...item, summary: [whole] } })
      output.push({ ...item, summary: [whole] })
      return said
    },

    text(delta: string): string {
      text += delta
      return open() + event('response.output_text.delta', { ...part(), delta, logprobs: [] })
    },

    done({ answer, status }: { answer: RunAnswer; status: 'completed' | 'incomplete' }): string {
      const item = messageItem({ head, text, status })
      const closed =
        open() +
        event('response.output_text.done', { ...part(), text, logprobs: [] }) +
        event('response.content_part.done', { ...part(), part: textPart(text) }) +
        event('response.output_item.done', { output_index: output.length, item })
      output.push(item)
      const response = responseObject({ head, status, output, answer })
      return closed + event(`response.${status}`, { response })
    },

    failed(error: GatewayError): string {
      return event('response.failed', { response: responseObject({ head, status: 'failed', output, error }) })
    },
  }
}
