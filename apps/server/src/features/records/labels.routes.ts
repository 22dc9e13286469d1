import {
  gateQuery,
  gateState,
  idParams,
  LABELLED_KINDS,
  type LabelledKind,
  labelDependants,
  labelMove,
  labelMoveParams,
  listLabelMovesQuery,
  movedLabels,
  moveLabelRequest,
  recordDependants,
  removeLabelQuery,
  undoMoveRequest,
  versionLabelParams,
  versionLabels,
} from '@catenary/contracts'
import { defineListRoute } from '../../platform/http/list-route.ts'
import type { HttpApp, Routes } from '../../platform/http/routes.ts'
import { optionalUser, requireUser } from '../../platform/http/session.ts'
import { countDependants, listDependants } from './operations/find-dependants.ts'
import { moveLabel, undoMove } from './operations/move-label.ts'
import { listLabelMoves, listVersionLabels, previewMove } from './operations/read-labels.ts'
import type { RecordsDeps } from './records-deps.ts'

const MOVERS =
  'For people who may change the record, of a protected label for whom its rule names. ' +
  '409 `LABEL_MOVED` where the label is not where `expectedVersion` says'

export function labelsRoutes(deps: RecordsDeps): Routes {
  return (app) => {
    for (const kind of LABELLED_KINDS) {
      labelRoutes(app, deps, kind)
      previewRoutes(app, deps, kind)
      dependantRoutes(app, deps, kind)
      moveRoutes(app, deps, kind)
    }
  }
}

function labelRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  const list = `/api/${kind}s/:id/labels` as const
  const one = `${list}/:label` as const
  app.get(
    list,
    {
      schema: {
        tags,
        summary: 'Which labels point to which versions',
        params: idParams,
        response: { 200: versionLabels },
      },
    },
    async (request) =>
      listVersionLabels(deps, { kind, id: request.params.id, user: await optionalUser(request) }),
  )

  app.put(
    one,
    {
      schema: {
        tags,
        summary: 'Let a label point to a version',
        description: `${MOVERS}, \`GATE_CLOSED\` with the failing cells where a protected label needs a test suite that has not passed.`,
        params: versionLabelParams,
        body: moveLabelRequest,
        response: { 200: movedLabels },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return moveLabel(deps, { kind, ...request.params, ...request.body, user })
    },
  )

  app.delete(
    one,
    {
      schema: {
        tags,
        summary: 'Take a label away',
        description: `${MOVERS}, \`LABEL_IN_USE\` while something asks for it.`,
        params: versionLabelParams,
        querystring: removeLabelQuery,
        response: { 200: movedLabels },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const removal = { version: null, override: false }
      return moveLabel(deps, { kind, ...request.params, ...request.query, ...removal, user })
    },
  )
}

function previewRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  const one = `/api/${kind}s/:id/labels/:label` as const
  app.get(
    `${one}/gate`,
    {
      schema: {
        tags,
        summary: 'What test suites say to a move of a label',
        description: 'The move asks them again.',
        params: versionLabelParams,
        querystring: gateQuery,
        response: { 200: gateState },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      return previewMove(deps, { kind, ...request.params, ...request.query, user })
    },
  )
}

function dependantRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  app.get(
    `/api/${kind}s/:id/labels/:label/dependants`,
    {
      schema: {
        tags,
        summary: 'What asks for a label',
        params: versionLabelParams,
        response: { 200: labelDependants },
      },
    },
    async (request) => listDependants(deps, { kind, ...request.params, user: await optionalUser(request) }),
  )

  app.get(
    `/api/${kind}s/:id/dependants`,
    {
      schema: {
        tags,
        summary: 'How much would end with it',
        description: 'For people who may change it.',
        params: idParams,
        response: { 200: recordDependants },
      },
    },
    async (request) =>
      countDependants(deps, { kind, id: request.params.id, user: await requireUser(request) }),
  )
}

function moveRoutes(app: HttpApp, deps: RecordsDeps, kind: LabelledKind): void {
  const tags = [`${kind}s`]
  const list = `/api/${kind}s/:id/label-moves` as const
  defineListRoute(app, list, {
    tags,
    summary: 'Every move of the labels, newest first, or what was live at a time',
    params: idParams,
    querystring: listLabelMovesQuery,
    item: labelMove,
    read: async (call) => {
      const user = await optionalUser(call)
      return listLabelMoves(deps, { kind, id: call.params.id, user, query: call.query })
    },
  })

  app.post(
    `${list}/:moveId/undo`,
    {
      schema: {
        tags,
        summary: 'Move a label back to where its last move took it from',
        description: `${MOVERS.replace('`expectedVersion` says', 'this move put it')}; the gate of a protected label holds here too.`,
        params: labelMoveParams,
        body: undoMoveRequest,
        response: { 200: movedLabels },
      },
    },
    async (request) => {
      const user = await requireUser(request)
      const { reason = '', override = false } = request.body ?? {}
      return undoMove(deps, { kind, ...request.params, reason, override, user })
    },
  )
}
