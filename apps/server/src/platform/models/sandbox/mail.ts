import { chosen, type Material } from './material.ts'
import type { SandboxRequest } from './request.ts'
import { capitalized, keyPhrases, oneLine } from './words.ts'

const AUDIENCE = /audience|recipient|reader|addressee|customer|^to$/i
const PRODUCT = /product|service|feature|company|topic|subject|event/i
const SENDER = /^(?:sender|from|signed|team|author)/i
const VOICE = /voice|tone|style/i
const POINTS = 5

export function writeMail(material: Material): string {
  const { request } = material
  const audience = valueUnder(request, AUDIENCE) ?? audienceIn(request.ask)
  const product = valueUnder(request, PRODUCT) ?? productIn(request.ask)
  const matter = product ?? capitalized(keyPhrases(request.ask)[0] ?? 'News')
  const points = chosen(material).slice(0, POINTS)
  const voice = voiceOf(`${request.ask} ${valueUnder(request, VOICE) ?? ''}`)
  const first = material.isGiven ? points.find(({ text }) => text.length > 8) : undefined
  const news =
    first === undefined ? 'what is new for you' : withoutEnd(oneLine(first.label || first.text, 60))
  return [
    `Subject: ${matter}: ${news}`,
    `${voice.greeting} ${audience ?? 'everyone'},`,
    `${voice.opening} ${matter}. ${material.isGiven ? 'Here is what it brings:' : 'In short:'}`,
    points
      .map(({ label, text }) => `- ${label === '' ? '' : `**${label}**: `}${oneLine(text, 140)}`)
      .join('\n'),
    `${voice.asking}`,
    `${voice.closing}\n${valueUnder(request, SENDER) ?? (product === undefined ? 'Your team' : `The ${product} team`)}`,
  ].join('\n\n')
}

function valueUnder({ blocks }: SandboxRequest, label: RegExp): string | undefined {
  const block = blocks.find(
    (one) => label.test(one.label) && one.lines.filter((line) => line.trim() !== '').length === 1,
  )
  const value = block?.lines.find((line) => line.trim() !== '')?.trim()
  return value === undefined || value.length > 80 ? undefined : withoutEnd(value)
}

function audienceIn(ask: string): string | undefined {
  const found =
    /\b(?:to|for) (?:all |our |the )?((?!the\b|a\b|an\b|be\b|write\b|launch\b)\p{Ll}[\p{L}'’-]*(?: (?!about|on|that|who|with|from|in|and)[\p{Ll}][\p{L}'’-]*){0,3})/u.exec(
      ask,
    )
  return found?.[1]
}

function productIn(ask: string): string | undefined {
  const named =
    /\b(?:for|about|of|announc\w+|launch\w*|introduc\w+) (?:the |our )?(\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*){0,3})/u.exec(
      ask,
    )
  return named?.[1]
}

function voiceOf(text: string): { greeting: string; opening: string; asking: string; closing: string } {
  if (/\b(?:formal|official|serious)\b/i.test(text)) {
    return {
      greeting: 'Dear',
      opening: 'We are writing to you about',
      asking: 'If you have questions, just reply to this message.',
      closing: 'Yours sincerely,',
    }
  }
  if (/\b(?:warm|friendly|casual|cheerful|playful|relaxed|personal)\b/i.test(text)) {
    return {
      greeting: 'Hi',
      opening: 'We are glad to tell you about',
      asking: 'Try it, and tell us how it went: just reply to this email.',
      closing: 'Warmly,',
    }
  }
  return {
    greeting: 'Hello',
    opening: 'There is news about',
    asking: 'Questions? Just reply to this email.',
    closing: 'Kind regards,',
  }
}

function withoutEnd(text: string): string {
  return text.replace(/[.!?,;:]+$/, '')
}
