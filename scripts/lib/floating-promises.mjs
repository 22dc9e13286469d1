import {
  isBinaryExpression,
  isCallExpression,
  isExpressionStatement,
  isPropertyAccessExpression,
  SyntaxKind,
} from 'typescript-7/unstable/ast'

/**
 * Statements that make a promise and drop it: not awaited, not returned, not `void`, without a handler of its failure.
 * What the linter can't know, as it reads no types of libraries.
 * @param {import('typescript-7/unstable/sync').Project} project
 * @returns {{ fileName: string, pos: number, text: string }[]}
 */
export function findFloatingPromises({ program, checker }) {
  /** @type {Map<number, boolean>} */
  const known = new Map()
  const own = program.getSourceFileNames().filter((name) => !/\.d\.[cm]?ts$|\/node_modules\//.test(name))
  return own.flatMap((fileName) => {
    const candidates = expressionStatements(program.getSourceFile(fileName)).filter(mayFloat)
    const types = checker.getTypeAtLocation(candidates)
    return candidates.flatMap((expression, index) => {
      const type = types[index]
      return type !== undefined && isPromise(type)
        ? [{ fileName, pos: expression.getStart(), text: problem }]
        : []
    })
  })

  /**
   * Promises and what behaves as one, such as a query; not the builders that are merely thenable.
   * @param {import('typescript-7/unstable/sync').Type} type
   * @returns {boolean}
   */
  function isPromise(type) {
    const found = known.get(type.id) ?? readPromise(type)
    known.set(type.id, found)
    return found
  }

  /** @param {import('typescript-7/unstable/sync').Type} type */
  function readPromise(type) {
    if (type.isUnionType()) return type.getTypes().some(isPromise)
    if (!type.isObjectType() && !type.isIntersectionType() && !type.isTypeParameter()) return false
    return ['then', 'catch'].every((name) => checker.getPropertyOfType(type, name) !== undefined)
  }
}

const problem = 'A floating promise: await it, return it, handle its failure, or mark it `void`.'

/** @param {import('typescript-7/unstable/ast').SourceFile | undefined} file */
function expressionStatements(file) {
  /** @type {import('typescript-7/unstable/ast').Expression[]} */
  const found = []
  const visit = (/** @type {import('typescript-7/unstable/ast').Node} */ node) => {
    if (isExpressionStatement(node)) found.push(node.expression)
    node.forEachChild(visit)
  }
  file?.forEachChild(visit)
  return found
}

/** @param {import('typescript-7/unstable/ast').Expression} expression */
function mayFloat(expression) {
  if (expression.kind === SyntaxKind.AwaitExpression || expression.kind === SyntaxKind.VoidExpression)
    return false
  if (isBinaryExpression(expression)) {
    const { kind } = expression.operatorToken
    return kind < SyntaxKind.FirstAssignment || kind > SyntaxKind.LastAssignment
  }
  return !isCallExpression(expression) || !handlesFailure(expression)
}

/** @param {import('typescript-7/unstable/ast').CallExpression} call */
function handlesFailure({ expression, arguments: handlers }) {
  if (!isPropertyAccessExpression(expression)) return false
  const method = expression.name.text
  return (method === 'catch' && handlers.length > 0) || (method === 'then' && handlers.length > 1)
}
