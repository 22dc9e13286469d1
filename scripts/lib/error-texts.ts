import ts from 'typescript'
import type { ErrorCode } from '../../apps/server/src/errors.ts'
import type { GatewayErrorKind } from '../../apps/server/src/features/doors/gateway/gateway-error.ts'
import type { RunFailureCode } from '../../apps/server/src/features/runs/engine/run-ending.ts'
import { root } from './root.mjs'
import { readSources, type Source } from './sources.ts'

type Code = ErrorCode | GatewayErrorKind | RunFailureCode

/** What to do, by the code of a message; a code without a sentence does not compile. */
const ADVICE: Record<Code, string> = {
  invalid: 'Correct what it names, and send it again.',
  unauthenticated: 'Log in, or send a token that is valid.',
  forbidden: 'Ask the owner for access, or an administrator.',
  not_found:
    'Check the name or address. It may have been deleted, or its owner no longer shares it with you.',
  conflict: 'Reload to see how things are now, then do what it says.',
  gone: 'It no longer exists. Create it again.',
  too_large: 'Send less, or split it.',
  unsupported_type: 'Send it in the form that it names.',
  key_reused: 'Send a new `Idempotency-Key`.',
  too_many: 'Wait as long as it says, delete what you no longer need, or ask an administrator for more.',
  upstream: 'Try again. If it keeps failing, check the service that it names.',
  unavailable: 'Wait a moment and try again. If it keeps failing, ask an administrator to look at `/readyz`.',
  unprocessable: 'Correct the request, and send it again.',
  unknown_url: 'Correct the address in your program.',
  wrong_method: 'Send the method that it names.',
  rate: 'Wait as long as `Retry-After` says.',
  quota: 'Wait until next month, or ask an administrator for a larger budget.',
  overloaded: 'Wait as long as `Retry-After` says, then try again.',
  chain_failed: 'Open the run. Fix the step that failed, then resume the run.',
  internal: 'Try again. If it keeps failing, the server’s log has the error.',
  model_not_configured: 'Choose another model, or ask an administrator to add a key.',
  model_forbidden: 'Choose another model, or ask an administrator for access.',
  model_key: 'Choose another model, or ask an administrator to replace the key.',
  model_quota: 'Wait, choose another model, or check the plan at the provider.',
  model_unavailable: 'Try again, or choose another model.',
  model_timeout: 'Try again, ask for a shorter answer, or choose another model.',
  model_malformed: 'Try again. If it keeps failing, check the provider’s address.',
  model_too_long: 'Ask for a shorter answer.',
  model_refused: 'Change the prompt, or choose another model.',
  model_rejected: 'Check the model’s id, address and settings under Settings → Models.',
  model_unable: 'Remove the setting that it names, or choose another model.',
  model_unpriced: 'Choose another model, or ask an administrator to set a price.',
  answer_invalid: 'Change the prompt or the schema, then resume the run.',
  answer_cut: 'Allow the step more tokens, then resume the run.',
  budget_spent: 'Wait until next month, or ask an administrator for a larger budget.',
  aborted: 'Run it again.',
  input_empty: 'Write a text, then run it again.',
  input_too_long: 'Shorten the text or its values.',
  value_missing: 'Give the variable a value, then resume the run.',
  private_values: 'Allow the value to be filled in, then run it again.',
  condition_unreadable: 'Correct the step’s condition, or what it looks at, then resume the run.',
  value_would_leave: 'Allow where your private values may go, then run it again or resume the run.',
  ask_rejected:
    'Nothing has gone wrong: a person decided so. Read their reason, or resume the run to ask again.',
  tool_failed: 'Read what the service said, correct the step, then resume the run.',
  tool_unsure: 'Look at the service whether the call happened, then resume the run: it asks you to say so.',
  run_waiting: 'Send the same call with `x-catenary-resume` once a person has answered.',
  too_many_items: 'Give the step a shorter list, or let it run for more items.',
  stopped_by_step: 'Nothing has gone wrong: a step of the chain ends the run like that. Read its text.',
  cancelled: 'Run it again, or resume it.',
  account_disabled: 'Ask an administrator to enable the account.',
  server_stopped: 'Run it again.',
  server_broke_off: 'Resume the run.',
  lost: 'Run it again.',
}

export interface ErrorTexts {
  /** The messages of each code, sorted. */
  byCode: ReadonlyMap<string, readonly string[]>
  /** What makes a message that can't be read from the code, with its place. */
  unknown: readonly string[]
}

const CLASSES = new Set(['AppError', 'GatewayError'])
const DEPTH_MAX = 6
/** What has two words at least: neither a name, nor only what a run knows. */
const SENTENCE = /\p{L}{2,} .*\p{L}{2,}/u
const INVALID = ts.factory.createStringLiteral('invalid')

interface Named {
  /** What constants begin with, and functions give, by their name. */
  values: ReadonlyMap<string, readonly ts.Node[]>
  /** The calls of each function, by its name. */
  calls: ReadonlyMap<string, readonly ts.CallExpression[]>
}

/** Every message with which the server refuses something or a run fails, as the code writes it. */
export function readErrorTexts(sources: readonly Source[]): ErrorTexts {
  const trees = sources.map(({ file, text }) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  const named = readNamed(trees)
  const byCode = new Map<string, Set<string>>()
  const unknown: string[] = []
  const read = (tree: ts.SourceFile) => (node: ts.Node) => {
    const made = madeBy(node)
    if (!made) return
    const texts = textsOf(made.message, named).filter((text) => SENTENCE.test(text))
    if (texts.length === 0) unknown.push(`${tree.fileName}: ${made.message.getText()}`)
    for (const code of literalsOf(made.code))
      byCode.set(code, new Set([...(byCode.get(code) ?? []), ...texts]))
  }
  for (const tree of trees) walk(tree, read(tree))
  return { byCode: new Map([...byCode].map(([code, texts]) => [code, [...texts].toSorted()])), unknown }
}

/** What the server is made of, and the packages whose texts it says. */
export const readServer = (): Source[] =>
  readSources(root).filter(({ file }) => /^(apps\/server|packages\/contracts)\//.test(file))

/** The part of the guide: for each code what to do, and the messages that have it. */
export function errorLists(): string {
  const { byCode } = readErrorTexts(readServer())
  return Object.entries(ADVICE)
    .filter(([code]) => byCode.has(code))
    .map(([code, advice]) => {
      const lines = byCode.get(code)?.map((text) => `- ${text}`)
      return [`### ${code}`, '', advice, '', ...(lines ?? [])].join('\n')
    })
    .join('\n\n')
}

interface Made {
  code: ts.Node
  message: ts.Node
}

/** `new AppError('conflict', …)`, `fieldError('name', …)`, or an object with a code and a message. */
function madeBy(node: ts.Node): Made | undefined {
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && CLASSES.has(node.expression.text)) {
    const [code, message] = node.arguments ?? []
    return code && message && { code, message }
  }
  if (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'fieldError'
  ) {
    const [, message, code = INVALID] = node.arguments
    return message && { code, message }
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined
  const [code, message] = [memberOf(node, 'code'), memberOf(node, 'message')]
  return code && message && literalsOf(code).length > 0 ? { code, message } : undefined
}

/** The codes that an argument names; a field's refusal that names none is `invalid`. */
function literalsOf(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsOf)
  return ts.isStringLiteral(node) && node.text in ADVICE ? [node.text] : []
}

function memberOf(node: ts.ObjectLiteralExpression, name: string): ts.Node | undefined {
  const member = node.properties.find(
    (one) => one.name && ts.isIdentifier(one.name) && one.name.text === name,
  )
  if (member && ts.isPropertyAssignment(member)) return member.initializer
  return member && ts.isShorthandPropertyAssignment(member) ? member.name : undefined
}

function readNamed(trees: readonly ts.SourceFile[]): Named {
  const values = new Map<string, ts.Node[]>()
  const calls = new Map<string, ts.CallExpression[]>()
  const add = <One>(all: Map<string, One[]>, name: string, one: One) => {
    const known = all.get(name)
    if (known) known.push(one)
    else all.set(name, [one])
  }
  for (const tree of trees)
    walk(tree, (node) => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
        add(calls, node.expression.text, node)
      if (ts.isFunctionDeclaration(node) && node.name) add(values, node.name.text, node)
      if (ts.isVariableDeclaration(node) && node.initializer)
        add(values, node.name.getText(), node.initializer)
    })
  return { values, calls }
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The sentences that an expression may come to, with … for what only a run knows; none where that is all. */
function textsOf(node: ts.Node, named: Named, depth = 0): string[] {
  const follow = (next: ts.Node) => textsOf(next, named, depth + 1)
  if (depth > DEPTH_MAX) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return joined([node.head.text, ...node.templateSpans], follow)
  if (ts.isBinaryExpression(node)) return sidesOf(node, follow)
  if (ts.isConditionalExpression(node)) return [...follow(node.whenTrue), ...follow(node.whenFalse)]
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return follow(node.expression)
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? follow(one.initializer) : []))
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return memberTexts(node, named, follow)
  if (ts.isCallExpression(node)) return namedTexts(node.expression, named, follow)
  if (ts.isIdentifier(node)) return parameterTexts(node, named, follow) ?? namedTexts(node, named, follow)
  if (ts.isFunctionLike(node)) return givenBy(node).flatMap(follow)
  return []
}

type Follow = (node: ts.Node) => string[]

function joined(parts: readonly (string | ts.TemplateSpan)[], follow: Follow): string[] {
  return parts.reduce<string[]>(
    (starts, part) =>
      typeof part === 'string'
        ? starts.map((start) => start + part)
        : starts.flatMap((start) =>
            choicesOf(part.expression, follow).map((text) => start + text + part.literal.text),
          ),
    [''],
  )
}

/** What stands in a sentence: one of two texts or a constant is written out, all else left open. */
function choicesOf(node: ts.Node, follow: Follow): readonly string[] {
  const isFixed = ts.isConditionalExpression(node) || /^[A-Z][A-Z_]+$/.test(node.getText())
  const texts = isFixed ? follow(node) : []
  return texts.length > 0 && texts.length <= 2 ? texts : ['…']
}

function sidesOf({ left, right, operatorToken }: ts.BinaryExpression, follow: Follow): string[] {
  if (operatorToken.kind === ts.SyntaxKind.PlusToken)
    return partsOf(left, follow).flatMap((start) => partsOf(right, follow).map((end) => start + end))
  return [...follow(left), ...follow(right)]
}

function partsOf(node: ts.Node, follow: Follow): readonly string[] {
  const texts = follow(node)
  return texts.length > 0 ? texts : ['…']
}

/** `TEXTS.name`, or each text of `TEXTS[name]`. */
function memberTexts(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression,
  named: Named,
  follow: Follow,
): string[] {
  const object = named.values.get(node.expression.getText())?.find(isTable)
  if (!object) return []
  const table = ts.isAsExpression(object) || ts.isSatisfiesExpression(object) ? object.expression : object
  if (!ts.isObjectLiteralExpression(table)) return []
  if (ts.isElementAccessExpression(node)) return follow(table)
  const member = memberOf(table, node.name.text)
  return member ? follow(member) : []
}

const isTable = (node: ts.Node): boolean =>
  ts.isObjectLiteralExpression(node) ||
  ((ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) && isTable(node.expression))

/** What the declarations of a name come to: those of its function, its file, or of what the file imports. */
function namedTexts(name: ts.Node, { values }: Named, follow: Follow): string[] {
  const all = values.get(name.getText()) ?? []
  const file = name.getSourceFile()
  const maker = ts.findAncestor(name, ts.isFunctionLike)
  const inside = all.filter((one) => maker && ts.findAncestor(one, (node) => node === maker))
  const here = all.filter((one) => one.getSourceFile() === file && isTopLevel(one))
  const isImported = new RegExp(`^import [^;]*?\\b${name.getText()}\\b`, 'm').test(file.text)
  const elsewhere = isImported ? all.filter(isTopLevel) : []
  return ([inside, here, elsewhere].find((some) => some.length > 0) ?? []).flatMap(follow)
}

const isTopLevel = (node: ts.Node): boolean => ts.findAncestor(node.parent, ts.isFunctionLike) === undefined

/** What callers give for a parameter; undefined: it is none. */
function parameterTexts(name: ts.Identifier, { calls }: Named, follow: Follow): string[] | undefined {
  const maker = ts.findAncestor(
    name,
    (node): node is ts.SignatureDeclaration =>
      ts.isFunctionLike(node) && node.parameters.some((one) => one.name.getText() === name.text),
  )
  if (!maker) return undefined
  const place = maker.parameters.findIndex((one) => one.name.getText() === name.text)
  const called = ts.isFunctionDeclaration(maker) ? maker.name?.text : nameOfConstant(maker)
  const given = (calls.get(called ?? '') ?? []).flatMap(({ arguments: all }) => all[place] ?? [])
  return given.flatMap(follow)
}

const nameOfConstant = ({ parent }: ts.Node): string | undefined =>
  parent && ts.isVariableDeclaration(parent) ? parent.name.getText() : undefined

/** What a function gives: its expression, or what it returns. */
function givenBy(node: ts.SignatureDeclaration): ts.Node[] {
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body]
  const found: ts.Node[] = []
  ts.forEachChild(node, (child) =>
    walk(child, (one) => {
      if (ts.isReturnStatement(one) && one.expression) found.push(one.expression)
    }),
  )
  return found
}
