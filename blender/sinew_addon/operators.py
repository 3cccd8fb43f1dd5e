"""Operators: roles, runs, results."""

import atexit
import pathlib
import time

import bpy

from . import engine, results, scene_file
from .errors import EngineError, MissingProgram, SetupError
from .gather import gather
from .job import Job
from .preferences import preferences
from .properties import ROLES

STAGES = {False: "run", True: "preview"}
EXPECTED = (SetupError, MissingProgram, EngineError, OSError)

_jobs = []  # the current job, if any


def run_folder(context):
    """The folder of the scene. A scene that was never saved has one in Blender's temporary folder."""
    folder = context.scene.sinew.folder
    if is_temporary(context):
        return pathlib.Path(bpy.app.tempdir) / folder[2:]
    return pathlib.Path(bpy.path.abspath(folder))


def is_temporary(context):
    return context.scene.sinew.folder.startswith("//") and not bpy.data.is_saved


def start_job(context, preview=False, resume=False):
    """Reads the scene and makes the job of a run."""
    options = preferences(context)
    program = engine.sinew(options)
    plan = gather(context, preview, engine.takes_textures(program))
    mesher = engine.sinew_mesh(program) if any(not body.cloth for body in plan.bodies) else None
    if is_temporary(context):
        plan.warnings.append("the .blend file was never saved: the result lies in Blender's temporary folder, which Blender "
                             "removes when it ends")
    folder = run_folder(context)
    folder.mkdir(parents=True, exist_ok=True)
    return Job(plan, folder, STAGES[preview], (program, mesher), engine.takes_looks(program), options.threads, resume)


@atexit.register
def cancel_all():
    for job in _jobs:
        job.cancel()


class SINEW_OT_role(bpy.types.Operator):
    """Gives all selected meshes a role"""
    bl_idname, bl_label, bl_options = "sinew.role", "Set Role", {"REGISTER", "UNDO"}

    role: bpy.props.EnumProperty(items=ROLES)

    def execute(self, context):
        meshes = [one for one in context.selected_objects if one.type == "MESH"]
        if not meshes:
            self.report({"ERROR"}, "no mesh is selected; select the objects that get the role")
            return {"CANCELLED"}
        for one in meshes:
            one.sinew.role = self.role
        return {"FINISHED"}


class SINEW_OT_run(bpy.types.Operator):
    """Simulates the scene in the background and shows the result on the objects"""
    bl_idname, bl_label, bl_options = "sinew.run", "Run", {"UNDO"}

    preview: bpy.props.BoolProperty(name="Preview", description="Fast and coarse, in a subspace")
    resume: bpy.props.BoolProperty(name="Resume", description="Continues a run that was cancelled, or one with fewer frames")

    @classmethod
    def poll(cls, _context):
        return not _jobs

    def _start(self, context):
        try:
            _jobs.append(start_job(context, self.preview, self.resume))
        except EXPECTED as error:
            self.report({"ERROR"}, str(error))
            return False
        state = context.window_manager.sinew
        state.active, state.progress, state.message = True, 0, "starting"
        return True

    def _poll(self, context):
        """Whether the run goes on. Shows its progress, then its result or error."""
        job, state = _jobs[-1], context.window_manager.sinew
        try:
            goes_on = job.poll()
        except EXPECTED as error:
            return self._end(context, job, str(error))
        state.progress, state.message = 100 * job.progress(), job.message()
        return True if goes_on else self._end(context, job, None)

    def _end(self, context, job, error):
        _jobs.remove(job)
        state = context.window_manager.sinew
        state.active, state.message = False, "failed" if error else job.state
        try:
            frames, warnings = results.load(context, job.folder, job.stage) if job.has_run() else (0, [])
            for warning in (job.warnings + ([] if error else warnings))[:5]:
                self.report({"WARNING"}, warning)
            if not error:
                self.report({"INFO"}, f"sinew: {job.state}, {frames} frames")
        except EXPECTED as problem:
            error = error or str(problem)
        if error:
            self.report({"ERROR"}, error)
        self.failed = bool(error)
        return False

    def execute(self, context):
        """Waits for the end, as scripts and background mode do."""
        if not self._start(context):
            return {"CANCELLED"}
        try:
            while self._poll(context):
                time.sleep(0.05)
        finally:
            self._forget(context)
        return {"CANCELLED"} if self.failed else {"FINISHED"}

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        if not self._start(context):
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0, 100)
        self.timer = manager.event_timer_add(0.2, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        manager = context.window_manager
        try:
            goes_on = self._poll(context)
        except BaseException:
            self.cancel(context)
            raise
        manager.progress_update(manager.sinew.progress)
        for window in manager.windows:
            for area in window.screen.areas:
                if area.type in ("VIEW_3D", "PROPERTIES"):
                    area.tag_redraw()
        if goes_on:
            return {"PASS_THROUGH"}
        manager.event_timer_remove(self.timer)
        manager.progress_end()
        return {"CANCELLED"} if self.failed else {"FINISHED"}

    def cancel(self, context):
        """Blender ends the operator, for example to open another file."""
        self._forget(context)
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()

    def _forget(self, context):
        """Cancels the job if it has not ended."""
        while _jobs:
            _jobs.pop().cancel()
        context.window_manager.sinew.active = False


class SINEW_OT_cancel(bpy.types.Operator):
    """Ends the run after the current step and keeps its frames"""
    bl_idname, bl_label = "sinew.cancel", "Cancel"

    @classmethod
    def poll(cls, _context):
        return bool(_jobs)

    def execute(self, _context):
        _jobs[-1].cancel()
        return {"FINISHED"}


class SINEW_OT_load(bpy.types.Operator):
    """Shows the frames of the last run on the objects"""
    bl_idname, bl_label, bl_options = "sinew.load", "Load Results", {"REGISTER", "UNDO"}

    preview: bpy.props.BoolProperty(name="Preview", description="Of the last preview")

    def execute(self, context):
        try:
            frames, warnings = results.load(context, run_folder(context), STAGES[self.preview])
        except EXPECTED as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for warning in warnings[:5]:
            self.report({"WARNING"}, warning)
        self.report({"INFO"}, f"sinew: {frames} frames")
        return {"FINISHED"}


class SINEW_OT_clear(bpy.types.Operator):
    """Removes the results from all objects. The files of the run stay"""
    bl_idname, bl_label, bl_options = "sinew.clear", "Remove Results", {"REGISTER", "UNDO"}

    def execute(self, context):
        self.report({"INFO"}, f"sinew: removed from {results.clear(context.scene.objects)} objects")
        return {"FINISHED"}


CLASSES = (SINEW_OT_role, SINEW_OT_run, SINEW_OT_cancel, SINEW_OT_load, SINEW_OT_clear)
