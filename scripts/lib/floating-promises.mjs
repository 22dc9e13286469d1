import ts from 'typescript'

/**
 * Statements that make a promise and drop it: not awaited, not returned, not `void`, without a handler of its failure.
 * @param {ts.Program} program
 * @returns {ts.Diagnostic[]}
 */
export function findFloatingPromises(program) {
  const checker = program.getTypeChecker()
  /** @type {ts.Diagnostic[]} */
  const found = []
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || program.isSourceFileFromExternalLibrary(file)) continue
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isExpressionStatement(node) && isFloating(node.expression, checker)) {
        found.push({
          file,
          start: node.getStart(),
          length: node.getWidth(),
          category: ts.DiagnosticCategory.Error,
          code: 0,
          messageText: 'A floating promise: await it, return it, handle its failure, or mark it `void`.',
        })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

/**
 * @param {ts.Expression} expression
 * @param {ts.TypeChecker} checker
 */
function isFloating(expression, checker) {
  if (isAssignment(expression)) return false
  if (ts.isCallExpression(expression) && handlesFailure(expression)) return false
  return isPromise(checker.getTypeAtLocation(expression))
}

/** @param {ts.Expression} expression */
function isAssignment(expression) {
  if (!ts.isBinaryExpression(expression)) return false
  const { kind } = expression.operatorToken
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
}

/** @param {ts.CallExpression} call */
function handlesFailure({ expression, arguments: handlers }) {
  if (!ts.isPropertyAccessExpression(expression)) return false
  const method = expression.name.text
  return (method === 'catch' && handlers.length > 0) || (method === 'then' && handlers.length > 1)
}

/**
 * Promises and what behaves as one, such as a query; not the builders that are merely thenable.
 * @param {ts.Type} type
 * @returns {boolean}
 */
function isPromise(type) {
  if (type.isUnion()) return type.types.some(isPromise)
  return type.getProperty('then') !== undefined && type.getProperty('catch') !== undefined
}
