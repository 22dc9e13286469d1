import type { HttpTool } from '@catenary/contracts'

/** A call of a known service, to read and change. */
export interface ReadyMade {
  label: string
  /** What is to be filled in, and where it is found. */
  hint: string
  tool: HttpTool
}

const POST: Omit<HttpTool, 'url' | 'body'> = {
  type: 'http',
  method: 'POST',
  query: [],
  headers: [],
  answer: { as: 'text' },
  safeToRepeat: false,
}

const json = (content: object) => ({ type: 'json', content: JSON.stringify(content, null, 2) }) as const

/** Messages go to incoming webhooks, whose address is their key: whoever has it may post. */
const SEALED = { sealed: true, origin: '' } as const

export const READY_MADE: readonly ReadyMade[] = [
  {
    label: 'Slack',
    hint: 'The address is that of an incoming webhook: make one for the channel in Slack, under Apps.',
    tool: { ...POST, url: SEALED, body: json({ text: '{{input}}' }) },
  },
  {
    label: 'Teams',
    hint: 'The address is that of an incoming webhook: make one in Teams with the channel’s Workflows.',
    tool: {
      ...POST,
      url: SEALED,
      body: json({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [{ type: 'TextBlock', text: '{{input}}', wrap: true }],
            },
          },
        ],
      }),
    },
  },
  {
    label: 'Discord',
    hint: 'The address is that of an incoming webhook: make one for the channel in Discord, under Integrations.',
    tool: { ...POST, url: SEALED, body: json({ content: '{{input}}' }) },
  },
  {
    label: 'GitHub issue',
    hint: 'Write owner and repository into the address, and put a token that may write issues into the private variable github_token.',
    tool: {
      ...POST,
      url: 'https://api.github.com/repos/OWNER/REPO/issues',
      headers: [
        { name: 'Accept', value: 'application/vnd.github+json' },
        { name: 'X-GitHub-Api-Version', value: '2022-11-28' },
        { name: 'Authorization', value: 'Bearer $<github_token>' },
      ],
      body: json({ title: '{{input}}', body: '{{input}}' }),
      answer: { as: 'json' },
    },
  },
]
