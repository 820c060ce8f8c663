/** The JSON of HTTP+JSON in version 0.3, whose fields have other names than those of 1.0. */
import {
  type Artifact,
  type Message,
  type Part,
  SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
  type TaskStatus,
} from '@a2a-js/sdk';
import { isObject, objectOf } from '@gemini-cli/core';
import { invalid, readAs } from './check-message.js';

export function toLegacyTask({ id, contextId, status, artifacts, history, metadata }: Task): object {
  return {
    id,
    contextId,
    ...(status && { status: toLegacyStatus(status) }),
    artifacts: artifacts.map(toLegacyArtifact),
    history: history.map(toLegacyMessage),
    ...(metadata && { metadata }),
  };
}

export function toLegacyMessage({
  messageId,
  contextId,
  taskId,
  role,
  parts,
  metadata,
  extensions,
}: Message): object {
  return {
    messageId,
    contextId,
    taskId,
    role: role === 1 ? 'ROLE_USER' : 'ROLE_AGENT',
    content: parts.map(toLegacyPart),
    ...(metadata && { metadata }),
    extensions,
  };
}

export function toLegacyEvent({ payload }: StreamResponse, isLast: boolean): object {
  switch (payload?.$case) {
    case 'task':
      return { task: toLegacyTask(payload.value) };
    case 'message':
      return { message: toLegacyMessage(payload.value) };
    case 'statusUpdate': {
      const { status, ...rest } = payload.value;
      return { statusUpdate: { ...rest, ...(status && { status: toLegacyStatus(status) }), final: isLast } };
    }
    case 'artifactUpdate': {
      const { artifact, ...rest } = payload.value;
      return { artifactUpdate: { ...rest, ...(artifact && { artifact: toLegacyArtifact(artifact) }) } };
    }
    default:
      return {};
  }
}

export function toLegacyPush({ taskId, id, url, token, authentication }: TaskPushNotificationConfig): object {
  const { scheme, credentials } = authentication ?? {};
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
    pushNotificationConfig: {
      id,
      url,
      token,
      ...(authentication && { authentication: { schemes: [scheme], credentials } }),
    },
  };
}

export function fromLegacyPush(body: unknown, taskId: string): TaskPushNotificationConfig {
  const given = objectOf(body);
  const config = objectOf(given['pushNotificationConfig'] ?? given['push_notification_config'] ?? given);
  const authentication = objectOf(config['authentication']);
  const [scheme] = Array.isArray(authentication['schemes']) ? authentication['schemes'] : [];
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    tenant: '',
    taskId,
    id: text(config['id']),
    url: text(config['url']),
    token: text(config['token']),
    authentication: isObject(config['authentication'])
      ? { scheme: text(scheme), credentials: text(authentication['credentials']) }
      : undefined,
  };
}

/** @throws TaskError */
export function fromLegacySend(body: unknown): SendMessageRequest {
  const { configuration, metadata, ...rest } = objectOf(body);
  const message = rest['message'] ?? rest['request'];
  if (!isObject(message)) throw invalid('message is missing');
  const content = message['content'] ?? message['parts'] ?? [];
  if (!Array.isArray(content) || !content.every(isObject))
    throw invalid('message.content is not a list of parts');
  const settings = objectOf(configuration);
  const push = settings['pushNotification'] ?? settings['push_notification'];
  const request = readAs(() =>
    SendMessageRequest.fromJSON({
      message: { ...message, parts: content.map(fromLegacyPart) },
      ...(isObject(configuration) && {
        configuration: {
          acceptedOutputModes: settings['acceptedOutputModes'] ?? [],
          ...(settings['historyLength'] ? { historyLength: settings['historyLength'] } : {}),
          // Where it is false, it is not on the wire.
          returnImmediately: settings['blocking'] !== true,
        },
      }),
      metadata,
    }),
  );
  if (request.configuration && push)
    request.configuration.taskPushNotificationConfig = fromLegacyPush(push, '');
  return request;
}

function toLegacyStatus({ state, message, timestamp }: TaskStatus): object {
  const name = TaskState[state] ?? 'TASK_STATE_UNSPECIFIED';
  return {
    state: state === TaskState.TASK_STATE_CANCELED ? 'TASK_STATE_CANCELLED' : name,
    ...(message && { message: toLegacyMessage(message) }),
    ...(timestamp && { timestamp }),
  };
}

function toLegacyArtifact({ parts, ...rest }: Artifact): object {
  return { ...rest, parts: parts.map(toLegacyPart) };
}

function toLegacyPart({ content, mediaType }: Part): object {
  switch (content?.$case) {
    case 'text':
      return { text: content.value };
    case 'raw':
      return { file: { fileWithBytes: Buffer.from(content.value).toString('base64'), mimeType: mediaType } };
    case 'url':
      return { file: { fileWithUri: content.value, mimeType: mediaType } };
    case 'data':
      return { data: { data: isObject(content.value) ? content.value : { value: content.value } } };
    default:
      return { text: '' };
  }
}

function fromLegacyPart(part: Record<string, unknown>): object {
  const { text, file, data } = part;
  if (text !== undefined) return { text };
  if (isObject(data)) return { data: data['data'] };
  if (!isObject(file)) return {};
  const mediaType = file['mimeType'] ?? file['mime_type'] ?? '';
  const uri = file['fileWithUri'] ?? file['file_with_uri'];
  return uri === undefined
    ? { raw: file['fileWithBytes'] ?? file['file_with_bytes'], mediaType }
    : { url: uri, mediaType };
}
