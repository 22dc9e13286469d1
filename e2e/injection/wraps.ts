/** What an answer looks like with a payload in it, several pieces coming one after the other; and where the viewer then shows it. */
interface Wrap<Payload> {
  answer(payload: Payload): string | readonly string[]
  shownIn: string
}

/** Answers that hold one payload, as it may swallow what comes after it. */
export const alone = {
  'written slowly': { answer: inHalves, shownIn: 'figure' },
  'in text': {
    answer: (payload) => `Here it is:\n\n${payload}\n\nThat was it.`,
    shownIn: 'figure .rich-text',
  },
  'in HTML': { answer: (payload) => `<div><p>Before</p>${payload}</div>`, shownIn: 'figure .rich-text' },
} satisfies Record<string, Wrap<string>>

/** Answers that hold many. */
export const together = {
  'in a document of its own': {
    answer: (payloads) => {
      const content = payloads.map((payload) => `<div>${payload}</div>`).join('\n')
      return `<!doctype html><html><head>${content}</head><body>${content}</body></html>`
    },
    shownIn: 'figure .rich-text',
  },
  'in code': {
    answer: (payloads) => payloads.map((payload) => `\`\`\`js\n${payload}\n\`\`\``).join('\n\n'),
    shownIn: 'figure pre',
  },
  'in JSON': {
    answer: (payloads) => JSON.stringify(Object.fromEntries(payloads.map((payload) => [payload, payload]))),
    shownIn: 'figure pre',
  },
} satisfies Record<string, Wrap<readonly string[]>>

function inHalves(text: string): string[] {
  const half = Math.ceil(text.length / 2)
  return [text.slice(0, half), text.slice(half)]
}
