/** Every tool of the MCP server, in the order in which a connector is made. A new one is added here. */
import type { Tool } from './tool.ts'
import {
  createConnectorTool,
  editManifestTool,
  listConnectorsTool,
  previewRequestsTool,
  readManifestTool,
  validateManifestTool,
} from './tools/connectors.ts'
import { searchDocsTool } from './tools/docs.ts'
import { importDescriptionTool } from './tools/imports.ts'
import { applyFixTool, checkApiTool, detectApiTool, diagnoseStreamTool, surveyStreamTool } from './tools/proofs.ts'
import {
  cancelSyncTool,
  followSyncTool,
  listRunsTool,
  listTablesTool,
  queryTablesTool,
  startSyncTool,
} from './tools/syncs.ts'
import { evaluateTemplateTool, readPageTool, testReadTool } from './tools/test-reads.ts'

export const mcpTools: readonly Tool[] = [
  searchDocsTool,
  detectApiTool,
  importDescriptionTool,
  listConnectorsTool,
  createConnectorTool,
  readManifestTool,
  editManifestTool,
  validateManifestTool,
  previewRequestsTool,
  checkApiTool,
  testReadTool,
  readPageTool,
  evaluateTemplateTool,
  diagnoseStreamTool,
  applyFixTool,
  surveyStreamTool,
  startSyncTool,
  followSyncTool,
  cancelSyncTool,
  listRunsTool,
  listTablesTool,
  queryTablesTool,
]
