import { expect, it } from 'vitest'
import { fieldsOfSchema } from '../answer-schema/index.ts'
import { askOutput, askOutputSchema } from './ask-output.ts'

it('what an answer hands on has the fields that its schema names, in their order', () => {
  const output = askOutput({ decision: 'approve', text: 'A “text”', reason: '', by: 'ana', at: 'now' })
  const schema = askOutputSchema({ choices: [{ id: 'approve', label: 'Approve' }] })
  expect(Object.keys(JSON.parse(output))).toEqual(schema.required)
  expect(fieldsOfSchema(schema)?.map(({ name }) => name)).toEqual(schema.required)
})
