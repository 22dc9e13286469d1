import { httpTool, isSealed } from '@catenary/contracts'
import { findToolFault, renderCall } from '@catenary/domain'
import { expect, test } from 'vitest'
import { READY_MADE } from './ready-made.ts'

const syntax = { outputs: true, jsonOutputs: { has: () => true } }
const HOSTILE = 'He said "no"\n\\ </script>'

const bodies: Record<string, object> = {
  Slack: { text: HOSTILE },
  Teams: {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'TextBlock', text: HOSTILE, wrap: true }],
        },
      },
    ],
  },
  Discord: { content: HOSTILE },
  'GitHub issue': { title: HOSTILE, body: HOSTILE },
}

test.each(READY_MADE)(
  'A ready-made call sends what its service takes, whatever the value. ($label)',
  ({ label, tool }) => {
    const ready = { ...tool, url: isSealed(tool.url) ? 'https://hooks.example.org/x' : tool.url }
    expect(httpTool.safeParse(ready).error).toBeUndefined()
    expect(findToolFault(ready, syntax)).toBeUndefined()
    const { call } = renderCall(ready, { syntax, read: () => ({ text: HOSTILE }) })
    if (call.type !== 'http') throw new Error('It is no HTTP call')
    expect([call.method, call.headers['Content-Type']]).toEqual(['POST', 'application/json'])
    expect(JSON.parse(call.body ?? '')).toEqual(bodies[label])
  },
)

test('The address of a webhook is nobody’s to read: whoever has it may post.', () => {
  const sealed = READY_MADE.filter(({ tool }) => isSealed(tool.url)).map(({ label }) => label)
  expect(sealed).toEqual(['Slack', 'Teams', 'Discord'])
})

test('An issue names the version of GitHub’s interface, and its token is a variable', () => {
  const github = READY_MADE.find(({ label }) => label === 'GitHub issue')
  expect(github?.tool.url).toBe('https://api.github.com/repos/OWNER/REPO/issues')
  expect(github?.tool.headers).toEqual([
    { name: 'Accept', value: 'application/vnd.github+json' },
    { name: 'X-GitHub-Api-Version', value: '2022-11-28' },
    { name: 'Authorization', value: 'Bearer $<github_token>' },
  ])
})
